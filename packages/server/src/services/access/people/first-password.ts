import type { World } from '../../world.ts'
import { OWN_PASSWORDS, type Passwords } from '../passwords/passwords.ts'

const PASSWORD_BYTES = 15

/** Makes up a password from the random source of the world. */
export function makeUpPassword(random: World['random']): string {
  return Buffer.from(random(PASSWORD_BYTES)).toString('base64url')
}

/** How a start has stored its password: for a new database, or in the place of one that nobody has used. */
export type FirstPasswordUse = 'new' | 'anew'

/**
 * Password that one start gives the first administrator: configured, or made up. It stays the same if the start repeats
 * its work. A commit whose acknowledgement was lost is then recognised by the hash, and the password that holds is shown.
 */
export class FirstPassword {
  readonly isMadeUp: boolean
  readonly #passwords: Passwords
  readonly #makeUp: () => string
  #text: string | undefined
  #hash: string | undefined
  #use: FirstPasswordUse | undefined
  #lines: readonly string[] = []

  constructor(passwords: Passwords, configured: string | undefined, random: World['random']) {
    this.#passwords = passwords
    this.isMadeUp = configured === undefined
    this.#text = configured
    this.#makeUp = () => makeUpPassword(random)
  }

  /** Password to print; undefined if the configuration has it. */
  get shown(): string | undefined {
    return this.isMadeUp ? this.#text : undefined
  }

  /** Lines for the log that belong to the change which stores it. */
  get lines(): readonly string[] {
    return this.#lines
  }

  /** Returns its hash, to be stored next. */
  async hashFor(use: FirstPasswordUse): Promise<string> {
    this.#text ??= this.#makeUp()
    this.#hash ??= await this.#passwords.hash(this.#text, OWN_PASSWORDS)
    this.#use = use
    return this.#hash
  }

  /** Notes what is to be logged once it is stored. */
  note(lines: readonly string[]): void {
    this.#lines = lines
  }

  /** Returns how it was stored, if `hash` is what this start has tried to store. */
  useOf(hash: string | undefined): FirstPasswordUse | undefined {
    return hash !== undefined && hash === this.#hash ? this.#use : undefined
  }
}
