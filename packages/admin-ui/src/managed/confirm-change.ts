import type { ConfigOrigin, ConfigOrigins } from '@burgee/protocol/administration/config-origin'
import type { QueryClient } from '@tanstack/react-query'
import { buildQueryString, call } from '../api/http.ts'
import type { Question } from '../ui/dialog/question.ts'
import { listChangedFlags } from './changed-flags.ts'
import { formatSource } from './format-source.ts'
import type { MANAGED_TEXTS } from './texts.ts'

/** Age up to which the known origins are used. */
const FRESH_MS = 60_000

/** Request that changes something. */
export interface ChangeRequestParts {
  readonly path: string
  readonly body: unknown
}

interface Means {
  readonly queries: QueryClient
  readonly words: typeof MANAGED_TEXTS.en
  readonly ask: (question: Question) => Promise<boolean>
}

/**
 * Asks for confirmation if a request changes flags that files describe. Resolves to true if the request may be sent. If
 * the origins of the flags cannot be read, asks nothing.
 */
export async function confirmChange(
  { path, body }: ChangeRequestParts,
  { queries, words, ask }: Means,
): Promise<boolean> {
  const { project, names } = listChangedFlags(path, body)
  if (names.length === 0) return true
  const origins = await readOrigins(queries, project)
  const managed = origins.filter((origin) => origin.kind === 'Flag' && names.includes(origin.name))
  const [first] = managed
  if (first === undefined) return true
  const subject = managed.length === 1 ? first.name : words.several(String(managed.length))
  return ask({ title: words.question(subject), text: words.text(subject, formatSource(first)), action: words.action })
}

async function readOrigins(queries: QueryClient, project: string | undefined): Promise<readonly ConfigOrigin[]> {
  try {
    const { origins } = await queries.fetchQuery({
      queryKey: ['origins', project ?? ''],
      queryFn: () => call<ConfigOrigins>('GET', `/api/admin/config/origins${buildQueryString({ project })}`),
      staleTime: FRESH_MS,
      retry: false,
    })
    return origins
  } catch {
    return []
  }
}
