import { isObject } from '@burgee/kit/input/is-object'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { CodeBranchInput, CodeRepositoryInput } from '@burgee/protocol/administration/code-references'
import { formatAddress } from '../evaluate/feature-documents.ts'

const LIMIT_MS = 60_000
const FLAGS_PER_PAGE = 1000

/**
 * Client of the routes for code scanners. Every method rejects with an Error that names the URL but never contains the
 * token.
 */
export class ScannerClient {
  readonly #base: URL
  readonly #token: string

  constructor(url: string, token: string) {
    this.#base = new URL(`${url.replace(/\/+(api\/?)?$/, '')}/api/v2/`)
    this.#token = token
  }

  /** Returns the names of a project's flags, without archived flags. */
  async listFlags(project: string): Promise<string[]> {
    const names: string[] = []
    for (;;) {
      const path = `flags/${encodeURIComponent(project)}?limit=${FLAGS_PER_PAGE}&offset=${names.length}`
      const page = (await this.#send('GET', path)) as { items: { key: string }[]; totalCount: number }
      names.push(...page.items.map(({ key }) => key))
      if (page.items.length === 0 || names.length >= page.totalCount) return names
    }
  }

  /** Adds a repository, or changes the given properties of an existing repository. */
  async putRepository({ name, ...given }: CodeRepositoryInput): Promise<void> {
    const path = `code-refs/repositories/${encodeURIComponent(name)}`
    const stored = await this.#send('GET', path, undefined, [404])
    if (stored === undefined) {
      await this.#send('POST', 'code-refs/repositories', { name, ...given })
      return
    }
    const before = stored as Readonly<Record<string, unknown>>
    const isChanged = Object.entries(given).some(([key, value]) => before[key] !== value)
    if (isChanged) await this.#send('PATCH', path, given)
  }

  /** Replaces the references that are stored for a branch. Returns false if a later upload is already stored. */
  async putBranch(repository: string, branch: string, body: CodeBranchInput): Promise<boolean> {
    const path = `code-refs/repositories/${encodeURIComponent(repository)}/branches/${encodeURIComponent(branch)}`
    return (await this.#send('PUT', path, body, [409])) !== undefined
  }

  /** Sends a request. Returns the JSON of the reply; undefined if the reply has one of the `expected` statuses. */
  async #send(method: string, path: string, body?: unknown, expected: readonly number[] = []): Promise<unknown> {
    const url = new URL(path, this.#base)
    const shown = formatAddress(url)
    const headers = {
      authorization: this.#token,
      'user-agent': 'burgee',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const init = { method, headers, redirect: 'error' as const, signal: AbortSignal.timeout(LIMIT_MS) }
    const reply = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) }).catch(
      (error: Error) => {
        const { code } = (error.cause ?? error) as { code?: string }
        throw new Error(`Cannot reach ${shown} (${code ?? error.name})`)
      },
    )
    const text = await reply.text()
    const value = parse(text)
    if (reply.ok) return value ?? {}
    if (expected.includes(reply.status)) return undefined
    const reason = isObject(value) && typeof value.message === 'string' ? `: ${escapeNames(value.message)}` : ''
    throw new Error(`${method} ${shown} returned ${reply.status}${reason}`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
