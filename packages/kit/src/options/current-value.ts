/**
 * Value that is read again at each use, such as a password that is rotated in a file. If reading it fails, the last
 * good value remains in use.
 */
export class CurrentValue<T> {
  readonly #read: () => T
  #last: T

  /** Reads the value once. Throws the error that `read` throws. */
  constructor(read: () => T) {
    this.#read = read
    this.#last = read()
  }

  get current(): T {
    try {
      this.#last = this.#read()
    } catch {
      // reading may fail while the file is being replaced
    }
    return this.#last
  }
}

/** Returns the current value. If it is a `CurrentValue`, reads it again. */
export function getCurrent<T>(value: T | CurrentValue<T>): T {
  return value instanceof CurrentValue ? value.current : value
}
