// What a screen knows of the server, and what to do about it. Pure: no DOM, no network, no timers; told the time.
//
// Every method takes `at = {wall, mono}` in milliseconds (Date.now(), performance.now()) and returns effects for the
// caller to carry out: {do: "connect" | "close" | "ping" | "poll" | "fetch" | "show" | "forget" | "state" | "build"}.

export const STALE_AFTER = 25_000;
export const POLL_EVERY = 15_000;
export const WAKE_GAP = 5_000;
export const CLOCK_JUMP = 2_000;
export const ANSWER_WITHIN = 3_000;
export const RECONNECT_FIRST = 500;
export const RECONNECT_CAP = 15_000;
export const HOLE_GRACE = 200;
export const HOLE_SPREAD = 800;
export const FETCH_AGAIN = 3_000;
export const AT_ONCE = 50;

export const SIGNED_OUT = 4401;
export const NO_RIGHT = 4403;

/** Full jitter (0 … the bound), for ever; the bound doubles up to the cap. */
export function reconnectDelay(attempt, random) {
  return random() * Math.min(RECONNECT_CAP, RECONNECT_FIRST * 2 ** Math.min(attempt, 10));
}

export class LiveCore {
  /**
   * `seen`: {stream: seq} on the page; `only`: streams this page cares about (null: all of the topic);
   * `build`: the page's build id; `at`: when the page was made.
   */
  constructor({ seen = {}, only = null, build = "", at, random = Math.random }) {
    this.state = "connecting";
    this.asOf = at;
    this.connected = false;
    this.#seen = new Map(Object.entries(seen));
    this.#only = only === null ? null : new Set(only);
    this.#build = build;
    this.#random = random;
    this.#lastTick = at;
    this.#connectAt = at.wall;
  }

  #seen;
  #only;
  #build;
  #random;
  #lastTick;
  #attempt = 0;
  #connectAt; // wall time of the next try; null while a socket is open or opening
  #answerBy = null; // a beat must come before this (after waking up)
  #pollAt = 0;
  #holes = new Map(); // stream → {seq, at}
  #gone = new Map(); // stream → absent from so many beats
  #behind = new Map(); // stream → seq seen when a beat named less

  /** The version of a stream that this page shows. */
  seq(stream) {
    return this.#seen.get(stream) ?? 0;
  }

  /** Once a second or oftener. */
  tick(at) {
    const since = this.#lastTick;
    this.#lastTick = at;
    if (this.#over) return [];
    const wall = at.wall - since.wall;
    const mono = at.mono - since.mono;
    // A sleeping machine may stop either clock, so: a long gap is a wake-up, a clock that ran apart is a jump.
    if (Math.abs(wall - mono) > CLOCK_JUMP) return [...this.#doubt(at), ...this.#due(at)];
    if (wall > WAKE_GAP) return this.woke(at);
    return this.#due(at);
  }

  /** The page came back to sight, the network came back, or time passed unseen. */
  woke(at) {
    if (this.state === "signed-out") {
      // Somebody may have signed in again in another window.
      this.#connectAt = at.wall;
      return this.#connectIfDue(at);
    }
    if (this.#over) return [];
    if (this.#age(at) > STALE_AFTER) return [...this.#stale(at), ...this.#retryNow(at)];
    if (!this.connected) return this.#retryNow(at);
    this.#answerBy ??= at.wall + ANSWER_WITHIN;
    return [{ do: "ping" }];
  }

  /** The socket is open. Not live yet: that needs a beat. */
  opened() {
    this.connected = true;
    return [];
  }

  /** The socket closed with this code. */
  closed(code, at) {
    this.connected = false;
    this.#answerBy = null;
    if (code === SIGNED_OUT) return this.refused(401);
    if (code === NO_RIGHT) return this.refused(403);
    this.#connectAt = at.wall + reconnectDelay(this.#attempt, this.#random);
    this.#attempt += 1;
    return this.state === "stale" ? [] : this.#become("connecting");
  }

  /** The server will not serve this person: 401 or 403, over HTTP or as the socket's code. */
  refused(status) {
    this.#connectAt = null;
    return this.#become(status === 401 ? "signed-out" : "no-right");
  }

  /** A frame of the socket. Unknown types are passed over: an older page may hear a newer server. */
  heard(message, at) {
    if (message.type === "beat") return this.#beat(message, at);
    if (message.type === "tiles") return this.tiles(message.tiles);
    return [];
  }

  /** Tiles from the socket, from catching up or from a response: the highest version of each wins. */
  tiles(tiles) {
    const effects = [];
    for (const tile of tiles) {
      if (!this.#cares(tile.stream) || tile.seq <= this.seq(tile.stream)) continue;
      this.#seen.set(tile.stream, tile.seq);
      this.#gone.delete(tile.stream);
      effects.push({ do: "show", tile });
    }
    for (const [stream, hole] of this.#holes) if (this.seq(stream) >= hole.seq) this.#holes.delete(stream);
    return effects;
  }

  /** Heads that came over HTTP: the page catches up, but it is not live for that. */
  polled(beat, at) {
    if (this.#over) return [];
    const effects = [...this.#heads(beat.heads, at), ...this.#newBuild(beat.build)];
    if (this.state === "stale") {
      this.asOf = at;
      effects.push({ do: "state", state: this.state, asOf: this.asOf });
    }
    return effects;
  }

  get #over() {
    return this.state === "signed-out" || this.state === "no-right";
  }

  #cares(stream) {
    return this.#only === null || this.#only.has(stream);
  }

  #age(at) {
    return Math.max(at.wall - this.asOf.wall, at.mono - this.asOf.mono);
  }

  #beat(beat, at) {
    this.asOf = at;
    this.#attempt = 0;
    this.#answerBy = null;
    // Without Redis changes come with the beats only: seconds late, and said so, but commands go on.
    const state = beat.health?.redis === false ? "delayed" : "live";
    const changed = state !== this.state || state === "delayed";
    this.state = state;
    return [
      ...(changed ? [{ do: "state", state, asOf: at }] : []),
      ...this.#heads(beat.heads, at),
      ...this.#newBuild(beat.build),
    ];
  }

  #heads(heads, at) {
    const effects = [];
    for (const [stream, seq] of Object.entries(heads)) {
      if (!this.#cares(stream)) continue;
      if (seq > this.seq(stream)) this.#hole(stream, seq, at);
      else this.#setBack(stream, seq, at);
    }
    for (const stream of [...this.#seen.keys()]) {
      if (stream in heads || !this.#cares(stream)) this.#gone.delete(stream);
      else effects.push(...this.#absent(stream));
    }
    return effects;
  }

  // A moment's grace: the tile itself may be on its way. Spread, so that a room of tablets does not ask at once.
  #hole(stream, seq, at) {
    this.#behind.delete(stream);
    const known = this.#holes.get(stream);
    if (known) known.seq = seq;
    else this.#holes.set(stream, { seq, at: at.wall + HOLE_GRACE + this.#random() * HOLE_SPREAD });
  }

  // Heads are read a moment before a tile may overtake them; a head that stays behind is a database that was set back.
  #setBack(stream, seq, at) {
    const before = this.#behind.get(stream);
    this.#behind.delete(stream);
    if (seq === this.seq(stream)) return;
    if (before === undefined || seq >= before) {
      this.#behind.set(stream, this.seq(stream));
      return;
    }
    this.#seen.set(stream, 0);
    this.#hole(stream, seq, at);
  }

  // Twice absent: a tile that is newer than the beat's heads must not vanish for a moment.
  #absent(stream) {
    const beats = (this.#gone.get(stream) ?? 0) + 1;
    this.#gone.set(stream, beats);
    if (beats < 2) return [];
    this.#gone.delete(stream);
    this.#seen.delete(stream);
    this.#holes.delete(stream);
    return [{ do: "forget", stream }];
  }

  #newBuild(build) {
    if (!build || !this.#build || build === this.#build) return [];
    this.#build = build;
    return [{ do: "build", build }];
  }

  #due(at) {
    const effects = [];
    const silent = this.#answerBy !== null && at.wall > this.#answerBy;
    if (silent || (this.state !== "stale" && this.#age(at) > STALE_AFTER)) {
      effects.push(...this.#stale(at), ...this.#retryNow(at));
    }
    effects.push(...this.#connectIfDue(at));
    if (this.state === "stale" && at.wall >= this.#pollAt) {
      this.#pollAt = at.wall + POLL_EVERY;
      effects.push({ do: "poll" });
    }
    return [...effects, ...this.#fetchDue(at)];
  }

  #fetchDue(at) {
    const streams = [];
    for (const [stream, hole] of this.#holes) {
      if (hole.at > at.wall || streams.length === AT_ONCE) continue;
      hole.at = at.wall + FETCH_AGAIN * (1 + this.#random());
      streams.push(stream);
    }
    return streams.length ? [{ do: "fetch", streams }] : [];
  }

  // The wall clock was set: what is shown may be of any age until the next beat, and times kept in it mean nothing.
  #doubt(at) {
    this.#pollAt = at.wall;
    for (const hole of this.#holes.values()) hole.at = at.wall;
    if (this.#connectAt !== null) this.#connectAt = at.wall;
    if (!this.connected) return this.#stale(at);
    this.#answerBy = at.wall + ANSWER_WITHIN;
    return [...this.#stale(at), { do: "ping" }];
  }

  #stale(at) {
    this.#answerBy = null;
    this.#pollAt = Math.min(this.#pollAt, at.wall);
    return this.#become("stale");
  }

  // A silent socket still looks open: it is left, and a new one is tried.
  #retryNow(at) {
    const effects = this.connected ? [{ do: "close" }] : [];
    this.connected = false;
    this.#attempt = 0;
    this.#connectAt = at.wall + this.#random() * RECONNECT_FIRST;
    return effects;
  }

  #connectIfDue(at) {
    if (this.#connectAt === null || at.wall < this.#connectAt) return [];
    this.#connectAt = null;
    return [{ do: "connect" }];
  }

  #become(state) {
    if (state === this.state) return [];
    this.state = state;
    return [{ do: "state", state, asOf: this.asOf }];
  }
}

/** Needs in the order of the list: rank first, then what is due first, then by name. */
export function byUrgency(a, b) {
  return (
    Number(a.rank) - Number(b.rank) ||
    (a.due || "9999").localeCompare(b.due || "9999") ||
    a.id.localeCompare(b.id, "en", { numeric: true })
  );
}
