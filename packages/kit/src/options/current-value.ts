/**
 * Value that is read again at each use, such as a password that is rotated in a file. If reading fails, the last good
 * value stays in use.
 */
export class CurrentValue<T> {
  readonly #read: () => T
  #last: T

  /** Reads the value once. Throws the error of `read`. */
  constructor(read: () => T) {
    this.#read = read
    this.#last = read()
  }

  get current(): T {
    try {
      this.#last = this.#read()
    } catch {
      // a rotation of the file may be in progress
    }
    return this.#last
  }
}

/** Returns the current value. Reads it again if it is a `CurrentValue`. */
export function getCurrent<T>(value: T | CurrentValue<T>): T {
  return value instanceof CurrentValue ? value.current : value
}
