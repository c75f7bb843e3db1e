import assert from "node:assert/strict";
import { test } from "node:test";

import { Presses, fingerprint, isAnswer } from "../../static/js/press_core.js";

const press = (fields = [["seen", "41"]], path = "/tables/12/RecordSpread") => ({ verb: "post", path, fields });

function presses() {
  let number = 0;
  return new Presses(() => `key-${(number += 1)}`);
}

test("a press without answer keeps its key, so that trying again records once", () => {
  const all = presses();
  assert.equal(all.key(press()), "key-1");
  assert.equal(all.ended(press(), 0), false);
  assert.equal(all.key(press()), "key-1");
  assert.equal(all.ended(press(), 503), false);
  assert.equal(all.key(press()), "key-1");
});

test("an answered press spends its key, also when the answer is a refusal", () => {
  const all = presses();
  for (const status of [200, 409, 422, 403]) {
    const key = all.key(press());
    assert.equal(all.ended(press(), status), true);
    assert.notEqual(all.key(press()), key);
    all.drop(press());
  }
});

test("other fields or another table are another press", () => {
  const all = presses();
  const key = all.key(press());
  assert.notEqual(all.key(press([["seen", "42"]])), key);
  assert.notEqual(all.key(press([["seen", "41"]], "/tables/13/RecordSpread")), key);
});

test("the order of fields and the CSRF token make no other press", () => {
  const a = fingerprint(press([["a", "1"], ["b", "2"]]));
  const b = fingerprint(press([["b", "2"], ["csrfmiddlewaretoken", "x"], ["a", "1"]]));
  assert.equal(a, b);
});

test("no answer is no connection, too many presses, a time-out or a broken server", () => {
  assert.deepEqual([0, 408, 429, 500, 502, 503, 504].map(isAnswer), Array(7).fill(false));
  assert.deepEqual([200, 204, 403, 404, 409, 422].map(isAnswer), Array(6).fill(true));
});
