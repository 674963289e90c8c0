import { readTokenForm, shortenToken } from './token-syntax.ts'

/** Status of a start-up token. `pending`: not validated yet. `refused`: invalid. `known`: valid. */
type StartTokenStatus = 'pending' | 'refused' | 'known'

/** Validation state of the start-up tokens. The constructor throws for a malformed token. */
export class StartTokens {
  readonly #statuses: Map<string, StartTokenStatus>

  constructor(texts: readonly string[]) {
    this.#statuses = new Map(texts.map((text) => [text, 'pending']))
    const wrong = texts.find((text) => readTokenForm(text) === undefined)
    if (wrong !== undefined)
      throw new Error(`TOKENS: ${shortenToken(wrong)} is not of the form project:environment.secret`)
  }

  has(text: string): boolean {
    return this.#statuses.has(text)
  }

  /** True once the validity of every token is known. */
  get isSettled(): boolean {
    return !this.#list('pending').length
  }

  /** Returns the tokens that are pending or invalid. */
  listUnknown(): string[] {
    return [...this.#list('pending'), ...this.#list('refused')]
  }

  /** Returns true if a pending token contains the name of the environment. */
  isPending(environment: string): boolean {
    return this.#list('pending').some((text) => readTokenForm(text)?.environment === environment)
  }

  markValid(text: string): void {
    if (this.has(text)) this.#statuses.set(text, 'known')
  }

  markInvalid(text: string): void {
    if (this.has(text)) this.#statuses.set(text, 'refused')
  }

  #list(status: StartTokenStatus): string[] {
    return [...this.#statuses].filter(([, current]) => current === status).map(([text]) => text)
  }
}
