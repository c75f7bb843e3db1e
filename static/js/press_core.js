// One press, one key: kept until the server has answered, so that trying again can never record twice. Pure.

/** What a press asks for, as text: the same words and fields are the same press. */
export function fingerprint({ verb, path, fields }) {
  const said = [...fields].filter(([name]) => name !== "csrfmiddlewaretoken").map(([name, value]) => `${name}=${value}`);
  return [verb.toLowerCase(), path, ...said.sort()].join("\n");
}

/** Whether this status is an answer of the site (also a refusal). 0 is no answer; 408, 429 and 5xx are none either. */
export function isAnswer(status) {
  return status >= 200 && status < 500 && status !== 408 && status !== 429;
}

export class Presses {
  #keys = new Map();
  #newKey;

  constructor(newKey) {
    this.#newKey = newKey;
  }

  /** The key for this press: the one it had, if it was never answered. */
  key(press) {
    const mark = fingerprint(press);
    if (!this.#keys.has(mark)) this.#keys.set(mark, this.#newKey());
    return this.#keys.get(mark);
  }

  /** Notes how it ended; true when it was answered and the key is spent. */
  ended(press, status) {
    const answered = isAnswer(status);
    if (answered) this.#keys.delete(fingerprint(press));
    return answered;
  }

  /** The person lets it go. */
  drop(press) {
    this.#keys.delete(fingerprint(press));
  }
}
