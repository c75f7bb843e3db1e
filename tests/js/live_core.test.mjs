import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ANSWER_WITHIN,
  LiveCore,
  NO_RIGHT,
  POLL_EVERY,
  RECONNECT_CAP,
  SIGNED_OUT,
  STALE_AFTER,
  byUrgency,
  reconnectDelay,
} from "../../static/js/live_core.js";

const T0 = 1_700_000_000_000;
const at = (ms, mono = ms) => ({ wall: T0 + ms, mono });
const beat = (heads, more = {}) => ({ type: "beat", heads, now: "2026-03-04T18:00:00Z", build: "b1", health: {}, ...more });
const tiles = (...list) => ({ type: "tiles", tiles: list.map(([stream, seq]) => ({ stream, seq, tile: "", needs: "" })) });
const kinds = (effects) => effects.map((effect) => effect.do);
const named = (effects, name) => effects.filter((effect) => effect.do === name);

function core(options = {}) {
  return new LiveCore({ at: at(0), build: "b1", random: () => 0, ...options });
}

/** Ticks each second from `from` to `to`, as a page that is awake does; gives all effects. */
function awake(live, from, to) {
  const effects = [];
  for (let now = from; now <= to; now += 1000) effects.push(...live.tick(at(now)));
  return effects;
}

function liveCore(options = {}) {
  const live = core(options);
  live.tick(at(0));
  live.opened(at(0));
  live.heard(beat({}, options.beat), at(0));
  return live;
}

test("the first tick connects, once", () => {
  const live = core();
  assert.deepEqual(kinds(live.tick(at(0))), ["connect"]);
  assert.deepEqual(live.tick(at(100)), []);
});

test("an open socket is not live before a beat", () => {
  const live = core();
  live.opened(at(0));
  assert.equal(live.state, "connecting");
  assert.deepEqual(named(live.heard(beat({}), at(10)), "state"), [{ do: "state", state: "live", asOf: at(10) }]);
});

test("the highest version wins, whatever the order", () => {
  const live = core({ seen: { "table:1": 4 } });
  assert.equal(named(live.heard(tiles(["table:1", 6]), at(1)), "show")[0].tile.seq, 6);
  assert.deepEqual(live.heard(tiles(["table:1", 5]), at(2)), []);
  assert.deepEqual(live.heard(tiles(["table:1", 6]), at(3)), []);
  assert.equal(live.seq("table:1"), 6);
});

test("a lost message is a hole that the heads show, fetched once after a moment", () => {
  const live = liveCore({ seen: { "table:1": 4, "table:2": 9 } });
  const heard = live.heard(beat({ "table:1": 5, "table:2": 9 }), at(1000));
  assert.deepEqual(named(heard, "fetch"), []);
  const effects = awake(live, 1100, 3100);
  assert.deepEqual(named(effects, "fetch"), [{ do: "fetch", streams: ["table:1"] }]);
  live.tiles([{ stream: "table:1", seq: 5 }]);
  assert.deepEqual(named(awake(live, 4100, 9100), "fetch"), []);
});

test("a tile that arrives in the moment of grace needs no fetch", () => {
  const live = liveCore({ seen: { "table:1": 4 } });
  live.heard(beat({ "table:1": 5 }), at(1000));
  live.heard(tiles(["table:1", 5]), at(1100));
  assert.deepEqual(named(awake(live, 1200, 6200), "fetch"), []);
});

test("a hole that is not filled is asked for again", () => {
  const live = liveCore({ seen: { "table:1": 4 } });
  live.heard(beat({ "table:1": 5 }), at(1000));
  assert.equal(named(awake(live, 1000, 8000), "fetch").length, 3);
});

test("a table that is new in the heads is fetched", () => {
  const live = liveCore();
  live.heard(beat({ "table:7": 3 }), at(0));
  assert.deepEqual(named(awake(live, 1000, 2000), "fetch"), [{ do: "fetch", streams: ["table:7"] }]);
});

test("a table that is gone from two beats is forgotten, from one it is not", () => {
  const live = liveCore({ seen: { "table:1": 4 }, beat: { heads: { "table:1": 4 } } });
  assert.deepEqual(named(live.heard(beat({}), at(1000)), "forget"), []);
  live.heard(beat({ "table:1": 4 }), at(2000));
  assert.deepEqual(named(live.heard(beat({}), at(3000)), "forget"), []);
  assert.deepEqual(named(live.heard(beat({}), at(4000)), "forget"), [{ do: "forget", stream: "table:1" }]);
});

test("heads a moment behind a tile mean nothing; twice behind is a record set back, and the page follows", () => {
  const live = liveCore({ seen: { "table:1": 40 }, beat: { heads: { "table:1": 40 } } });
  live.heard(tiles(["table:1", 41]), at(900));
  live.heard(beat({ "table:1": 40 }), at(1000));
  live.heard(beat({ "table:1": 41 }), at(2000));
  assert.equal(live.seq("table:1"), 41);
  live.heard(beat({ "table:1": 3 }), at(3000));
  live.heard(beat({ "table:1": 3 }), at(4000));
  assert.deepEqual(named(awake(live, 4300, 5300), "fetch"), [{ do: "fetch", streams: ["table:1"] }]);
  assert.equal(live.tiles([{ stream: "table:1", seq: 3 }]).length, 1);
});

test("a page of one table passes over the others", () => {
  const live = core({ seen: { "table:1": 4 }, only: ["table:1"] });
  assert.deepEqual(live.heard(tiles(["table:2", 6]), at(1)), []);
  live.heard(beat({ "table:1": 4, "table:2": 9 }), at(2));
  assert.deepEqual(named(awake(live, 1000, 3000), "fetch"), []);
});

test("no beat for 25 seconds is stale: the socket is left, polling begins, a new socket is tried", () => {
  const live = liveCore();
  assert.deepEqual(awake(live, 1000, STALE_AFTER), []);
  const effects = live.tick(at(STALE_AFTER + 1));
  assert.deepEqual(kinds(effects), ["state", "close", "connect", "poll"]);
  assert.deepEqual(effects[0], { do: "state", state: "stale", asOf: at(0) });
});

test("while stale the heads are polled every 15 seconds, and the page stays not live", () => {
  const live = liveCore();
  awake(live, 1000, STALE_AFTER);
  const polls = named(awake(live, 26_000, 26_000 + 3 * POLL_EVERY - 1000), "poll");
  assert.equal(polls.length, 3);
  const effects = live.polled(beat({ "table:1": 2 }), at(71_000));
  assert.deepEqual(effects, [{ do: "state", state: "stale", asOf: at(71_000) }]);
  assert.deepEqual(named(awake(live, 72_000, 72_000), "fetch"), [{ do: "fetch", streams: ["table:1"] }]);
});

test("a beat makes a stale page live again", () => {
  const live = liveCore();
  awake(live, 1000, 26_000);
  live.opened(at(27_000));
  assert.deepEqual(named(live.heard(beat({}), at(27_000)), "state"), [{ do: "state", state: "live", asOf: at(27_000) }]);
});

test("a tablet that slept is stale at once, though its socket looks open", () => {
  const live = liveCore();
  awake(live, 1000, 5000);
  const effects = live.tick(at(65_000));
  assert.deepEqual(kinds(effects).slice(0, 2), ["state", "close"]);
  assert.equal(live.state, "stale");
});

test("a short sleep asks the server, and silence then is stale", () => {
  const live = liveCore();
  awake(live, 1000, 2000);
  assert.deepEqual(kinds(live.tick(at(9000))), ["ping"]);
  assert.equal(live.state, "live");
  assert.deepEqual(kinds(live.tick(at(9000 + ANSWER_WITHIN + 1))).slice(0, 2), ["state", "close"]);
});

test("a beat after a short sleep is all that is needed", () => {
  const live = liveCore();
  awake(live, 1000, 2000);
  live.tick(at(9000));
  live.heard(beat({}), at(9100));
  assert.deepEqual(awake(live, 10_000, 14_000), []);
  assert.equal(live.state, "live");
});

test("a machine whose steady clock stops in sleep is found out by the wall clock", () => {
  const live = liveCore();
  awake(live, 1000, 5000);
  live.tick(at(600_000, 5250));
  assert.equal(live.state, "stale");
});

test("a wall clock that is set is doubt until the next beat", () => {
  const live = liveCore();
  awake(live, 1000, 5000);
  const effects = live.tick({ wall: T0 - 3_600_000, mono: 6000 });
  assert.deepEqual(named(effects, "state")[0].state, "stale");
  assert.equal(named(effects, "ping").length, 1);
  live.heard(beat({}), { wall: T0 - 3_600_000, mono: 6050 });
  assert.equal(live.state, "live");
});

test("a wall clock set back does not stop reconnecting", () => {
  const live = liveCore();
  live.closed(1006, at(1000));
  const effects = live.tick({ wall: T0 - 3_600_000, mono: 1250 });
  assert.equal(named(effects, "connect").length, 1);
});

test("a closed socket is tried again for ever, with full jitter and a cap", () => {
  const live = core({ random: () => 0.999 });
  live.tick(at(0));
  let now = 0;
  let tries = 0;
  for (let round = 0; round < 200; round += 1) {
    live.closed(1006, at(now));
    const before = now;
    while (!named(live.tick(at(now)), "connect").length) now += 250;
    assert.ok(now - before <= RECONNECT_CAP + 250);
    tries += 1;
  }
  assert.equal(tries, 200);
});

test("the delay is anywhere between nothing and its bound", () => {
  assert.equal(reconnectDelay(0, () => 0), 0);
  assert.equal(reconnectDelay(3, () => 1), 4000);
  assert.equal(reconnectDelay(5000, () => 1), RECONNECT_CAP);
});

test("a beat, not an open socket, resets the back-off", () => {
  const live = core({ random: () => 1 });
  live.tick(at(0));
  for (let round = 0; round < 8; round += 1) {
    live.closed(1006, at(0));
    live.opened(at(0));
  }
  live.closed(1006, at(0));
  assert.equal(named(awake(live, 0, 14_000), "connect").length, 0);
});

test("a restart of the server is connecting, not yet stale", () => {
  const live = liveCore();
  assert.deepEqual(live.closed(1012, at(1000)), [{ do: "state", state: "connecting", asOf: at(0) }]);
});

test("4401 is signed out and ends trying; coming back to the page tries once", () => {
  const live = liveCore();
  assert.equal(live.closed(SIGNED_OUT, at(1000))[0].state, "signed-out");
  assert.deepEqual(awake(live, 2000, 60_000), []);
  assert.deepEqual(kinds(live.woke(at(61_000))), ["connect"]);
  live.opened(at(61_100));
  live.heard(beat({}), at(61_200));
  assert.equal(live.state, "live");
});

test("4403 is no right and ends trying", () => {
  const live = liveCore();
  assert.equal(live.closed(NO_RIGHT, at(1000))[0].state, "no-right");
  assert.deepEqual(awake(live, 2000, 60_000), []);
  assert.deepEqual(live.woke(at(61_000)), []);
});

test("a poll that is refused says the same as the socket's code", () => {
  assert.equal(core().refused(401)[0].state, "signed-out");
  assert.equal(core().refused(403)[0].state, "no-right");
});

test("without Redis the page is delayed: it says as of when, again with each beat", () => {
  const live = liveCore();
  const without = { health: { redis: false } };
  assert.deepEqual(named(live.heard(beat({}, without), at(1000)), "state"), [
    { do: "state", state: "delayed", asOf: at(1000) },
  ]);
  assert.equal(named(live.heard(beat({}, without), at(4000)), "state")[0].asOf.mono, 4000);
  assert.equal(named(live.heard(beat({}), at(7000)), "state")[0].state, "live");
});

test("a new build is told once", () => {
  const live = liveCore();
  assert.deepEqual(named(live.heard(beat({}, { build: "b2" }), at(1)), "build"), [{ do: "build", build: "b2" }]);
  assert.deepEqual(named(live.heard(beat({}, { build: "b2" }), at(2)), "build"), []);
});

test("a message of an unknown type is passed over", () => {
  assert.deepEqual(core().heard({ type: "song" }, at(1)), []);
});

test("coming back on line while waiting tries at once", () => {
  const live = core({ random: () => 0.5 });
  live.tick(at(0));
  for (let round = 0; round < 9; round += 1) live.closed(1006, at(0));
  live.woke(at(100));
  assert.equal(named(awake(live, 400, 1400), "connect").length, 1);
});

test("needs are ordered by rank, then by what is due first, then by name", () => {
  const need = (id, rank, due = "") => ({ id, rank, due });
  const list = [need("n-10", 2), need("n-9", 2), need("n-3", 1, "2026-03-04T18:05:00Z"), need("n-4", 1, "2026-03-04T18:01:00Z")];
  assert.deepEqual(list.sort(byUrgency).map(({ id }) => id), ["n-4", "n-3", "n-9", "n-10"]);
});
