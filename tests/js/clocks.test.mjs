import assert from "node:assert/strict";
import { test } from "node:test";

import { done, offsetAfter, reading, shortSpan, span } from "../../static/js/clocks.js";

const noon = Date.parse("2026-03-04T12:00:00Z");
const SECOND = 1000;

test("a span is written as the server writes it", () => {
  assert.equal(span(42 * SECOND), "0:42");
  assert.equal(span(725 * SECOND), "12:05");
  assert.equal(span(11_240 * SECOND), "3:07:20");
  assert.equal(span(-5), "0:00");
});

test("a short span has no seconds", () => {
  assert.equal(shortSpan(59 * SECOND), "0 min");
  assert.equal(shortSpan(12.9 * 60 * SECOND), "12 min");
  assert.equal(shortSpan(187 * 60 * SECOND), "3 h 07");
});

test("time since counts whole seconds that are over", () => {
  assert.deepEqual(reading({ since: "2026-03-04T12:00:00Z" }, noon + 61_900), { text: "1:01", over: false });
});

test("a countdown shows the second that runs, then nought, then how late", () => {
  const due = "2026-03-04T12:00:00Z";
  assert.deepEqual(reading({ due }, noon - 10_000), { text: "0:10", over: false });
  assert.deepEqual(reading({ due }, noon - 1), { text: "0:01", over: false });
  assert.deepEqual(reading({ due }, noon), { text: "0:00", over: true });
  assert.deepEqual(reading({ due }, noon + 1000), { text: "+0:01", over: true });
});

test("a due time has the last word over a since", () => {
  assert.equal(reading({ since: "2026-03-04T11:00:00Z", due: "2026-03-04T12:00:00Z" }, noon - 60_000).text, "1:00");
});

test("a meter runs from nothing to full and no further", () => {
  const since = "2026-03-04T12:00:00Z";
  const due = "2026-03-04T12:10:00Z";
  assert.equal(done(since, due, noon - 5), 0);
  assert.equal(done(since, due, noon + 300_000), 0.5);
  assert.equal(done(since, due, noon + 900_000), 1);
  assert.equal(done(due, since, noon), 1);
});

test("the least delayed word about the server's time counts; a set clock counts at once", () => {
  assert.equal(offsetAfter(100, 1000, 950), 100);
  assert.equal(offsetAfter(100, 1000, 850), 150);
  assert.equal(offsetAfter(100, 1000, 5000), -4000);
});
