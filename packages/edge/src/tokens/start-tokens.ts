import { readTokenForm, shortened } from './token-form.ts'

/** `pending`: not validated yet; `refused`: invalid; `known`: valid. */
type Standing = 'pending' | 'refused' | 'known'

/** Validation state of the start-up tokens. The constructor throws for a malformed token. */
export class StartTokens {
  readonly #standings: Map<string, Standing>

  constructor(texts: readonly string[]) {
    this.#standings = new Map(texts.map((text) => [text, 'pending']))
    const wrong = texts.find((text) => readTokenForm(text) === undefined)
    if (wrong !== undefined)
      throw new Error(`TOKENS: ${shortened(wrong)} is not of the form project:environment.secret`)
  }

  has(text: string): boolean {
    return this.#standings.has(text)
  }

  /** True once each token is known to be valid or invalid. */
  get isSettled(): boolean {
    return !this.#of('pending').length
  }

  /** Returns the tokens that are not known to be valid. */
  unknown(): string[] {
    return [...this.#of('pending'), ...this.#of('refused')]
  }

  /** Returns true if a pending token names the environment in its text. */
  isPending(environment: string): boolean {
    return this.#of('pending').some((text) => readTokenForm(text)?.environment === environment)
  }

  know(text: string): void {
    if (this.has(text)) this.#standings.set(text, 'known')
  }

  refuse(text: string): void {
    if (this.has(text)) this.#standings.set(text, 'refused')
  }

  #of(standing: Standing): string[] {
    return [...this.#standings].filter(([, is]) => is === standing).map(([text]) => text)
  }
}
