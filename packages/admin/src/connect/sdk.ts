/** What an SDK is for: code that runs on servers, in web pages, or on phones. */
export type SdkGroup = 'servers' | 'web' | 'phones'

/** An official SDK, and the code that asks for a flag with it. */
export interface Sdk {
  readonly id: string
  readonly name: string
  readonly group: SdkGroup
  /** The kind of token that it needs. */
  readonly kind: 'client' | 'frontend'
  /** The command that adds it, or the name of its package. */
  readonly install: string
  /** Code with the address, tokens and flag of the documentation; named where there are several files. */
  readonly files: readonly { readonly name?: string; readonly code: string }[]
}

/** What is put in the place of what the documentation names. */
export interface Filling {
  /** Of the server, without a slash at its end. */
  readonly address: string
  readonly flag?: string | undefined
  /** As the application calls itself. */
  readonly appName?: string | undefined
  readonly token?: { readonly kind: Sdk['kind']; readonly secret: string } | undefined
}

const ADDRESS = 'http://localhost:4242'
const FLAG = 'new-checkout'
const NAMES = /\bmy-(service|page|app)\b/g
const PLACES = { client: '<client token>', frontend: '<frontend token>' } as const

/** Code as somebody can use it; what is not known stays as the documentation has it. */
export function filledCode(code: string, { address, flag = FLAG, appName, token }: Filling): string {
  const named = appName === undefined ? code : code.replaceAll(NAMES, () => escaped(appName, "'"))
  const asking = ["'", '"'].reduce(
    (text, quote) => text.replaceAll(`${quote}${FLAG}${quote}`, () => `${quote}${escaped(flag, quote)}${quote}`),
    named,
  )
  const reaching = asking.replaceAll(ADDRESS, () => address)
  return token === undefined ? reaching : reaching.replaceAll(PLACES[token.kind], () => token.secret)
}

function escaped(text: string, quote: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
}
