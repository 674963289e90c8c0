/** Platform of an SDK: servers, web pages or phones. */
export type SdkGroup = 'servers' | 'web' | 'phones'

/** Official SDK with its sample code. */
export interface Sdk {
  readonly id: string
  readonly name: string
  readonly group: SdkGroup
  /** Kind of token that the SDK needs. */
  readonly kind: 'client' | 'frontend'
  /** Install command, or the name of the package. */
  readonly install: string
  /**
   * Sample code with the example address, tokens and flag from the documentation. Each file has a name if there are
   * several.
   */
  readonly files: readonly { readonly name?: string; readonly code: string }[]
}

/** Values that replace the example values from the documentation. */
export interface SampleValues {
  /** Address of the server without a trailing slash. */
  readonly address: string
  readonly flag?: string | undefined
  /** Name that the application reports. */
  readonly appName?: string | undefined
  readonly token?: { readonly kind: Sdk['kind']; readonly secret: string } | undefined
}

const ADDRESS = 'http://localhost:4242'
const FLAG = 'new-checkout'
const NAMES = /\bmy-(service|page|app)\b/g
const TOKEN_PLACEHOLDERS = { client: '<client token>', frontend: '<frontend token>' } as const

/** Fills in sample code. An example value remains if no value is given to replace it. */
export function fillSampleCode(code: string, { address, flag = FLAG, appName, token }: SampleValues): string {
  const named = appName === undefined ? code : code.replaceAll(NAMES, () => escapeQuotes(appName, "'"))
  const asking = ["'", '"'].reduce(
    (text, quote) => text.replaceAll(`${quote}${FLAG}${quote}`, () => `${quote}${escapeQuotes(flag, quote)}${quote}`),
    named,
  )
  const reaching = asking.replaceAll(ADDRESS, () => address)
  return token === undefined ? reaching : reaching.replaceAll(TOKEN_PLACEHOLDERS[token.kind], () => token.secret)
}

function escapeQuotes(text: string, quote: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
}
