import { type Passwords, SERVER_PASSWORDS } from '../../../core/access/passwords/passwords.ts'
import type { World } from '../../../core/world.ts'

const PASSWORD_BYTES = 15

/** Generates a password from the given random source. */
export function generatePassword(random: World['random']): string {
  return Buffer.from(random(PASSWORD_BYTES)).toString('base64url')
}

/**
 * Reason why the server stored a password at startup: the database is new (`new`), or no one has used the previous
 * password (`anew`).
 */
export type FirstPasswordUse = 'new' | 'anew'

/**
 * Password, configured or generated, that the server sets for the first administrator at startup. If the startup is
 * retried, the same password is used. If the acknowledgement of a commit was lost, comparing hashes shows whether the
 * commit succeeded, so the valid password is still printed.
 */
export class FirstPassword {
  readonly isGenerated: boolean
  readonly #passwords: Passwords
  readonly #generate: () => string
  #text: string | undefined
  #hash: string | undefined
  #use: FirstPasswordUse | undefined
  #lines: readonly string[] = []

  constructor(passwords: Passwords, configured: string | undefined, random: World['random']) {
    this.#passwords = passwords
    this.isGenerated = configured === undefined
    this.#text = configured
    this.#generate = () => generatePassword(random)
  }

  /** Password to print; undefined if the password is configured. */
  get printable(): string | undefined {
    return this.isGenerated ? this.#text : undefined
  }

  /** Log lines that belong to the change that stores the password. */
  get lines(): readonly string[] {
    return this.#lines
  }

  /** Returns the hash of the password. The caller stores the hash and states the reason. */
  async hashFor(use: FirstPasswordUse): Promise<string> {
    this.#text ??= this.#generate()
    this.#hash ??= await this.#passwords.hash(this.#text, SERVER_PASSWORDS)
    this.#use = use
    return this.#hash
  }

  /** Sets the lines to log once the password is stored. */
  note(lines: readonly string[]): void {
    this.#lines = lines
  }

  /** Returns the reason why the password was stored, if `hash` is the one that this start tried to store. */
  findUse(hash: string | undefined): FirstPasswordUse | undefined {
    return hash !== undefined && hash === this.#hash ? this.#use : undefined
  }
}
