/** Data of the welcome screen. */
export interface WelcomeFacts {
  readonly serverUrl: string
  readonly proxyUrl: string
  readonly environment: string
  readonly clientKey: string
  readonly keyHeader: string
  /** Login as `name / password`; undefined once someone has logged in. */
  readonly firstLogin: string | undefined
}

/** Formats the welcome screen: URLs, login, and a command to try. */
export function formatWelcome(facts: WelcomeFacts): string {
  return `
Burgee is running.

  Server   ${facts.serverUrl}
  Login    ${facts.firstLogin ?? 'unchanged'}
  Proxy    ${facts.proxyUrl}   (environment: ${facts.environment})

Ask the proxy which flags are on for user 42:

  curl -H '${facts.keyHeader}: ${facts.clientKey}' '${facts.proxyUrl}?userId=42'

Stop with Ctrl-C; the data stays.`
}
