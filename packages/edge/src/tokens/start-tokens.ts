import { readTokenForm, shortened } from './token-form.ts'

/** Nothing is known yet; the upstream says that it is not good; it is good. */
type Standing = 'pending' | 'refused' | 'known'

/** How the tokens that were named at the start stand. Throws for one that can be none. */
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

  /** Whether it is known of each whether it is good. */
  get isSettled(): boolean {
    return !this.#of('pending').length
  }

  /** Those that are not known to be good. */
  unknown(): string[] {
    return [...this.#of('pending'), ...this.#of('refused')]
  }

  /** Whether a token may turn out to be good that says to be for an environment. */
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
