/**
 * Value that is read again whenever it is used, such as a password that is rotated in its file. The last good value
 * stays in use while a new one cannot be read.
 */
export class CurrentValue<T> {
  readonly #read: () => T
  #last: T

  /** Reads once. Throws what `read` throws. */
  constructor(read: () => T) {
    this.#read = read
    this.#last = read()
  }

  get current(): T {
    try {
      this.#last = this.#read()
    } catch {
      // the file may be in the middle of a rotation
    }
    return this.#last
  }
}

/** Returns a value, read again where it can change. */
export function currentOf<T>(value: T | CurrentValue<T>): T {
  return value instanceof CurrentValue ? value.current : value
}
