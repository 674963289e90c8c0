import { flagdSource } from '@burgee/import/flagd/flagd-source'
import { flagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { launchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { ImportSource } from '@burgee/import/model/source'
import { unleashApiSource } from '@burgee/import/unleash/api/unleash-api-source'
import {
  clientFeaturesSource,
  type DocumentPlace,
  unleashExportSource,
  unleashStateSource,
} from '@burgee/import/unleash/documents/unleash-files'
import { invalid } from '@burgee/kit/input/refusals'
import type { ImportKind, ImportWish } from '@burgee/protocol/administration/import'
import { guardedFetch } from '../integrations/guarded-fetch.ts'
import type { CallGuard } from '../integrations/guarded-request.ts'

type FileKind = Exclude<ImportKind, 'unleash-api' | 'unleash-state' | 'launchdarkly'>

/** Sources that are files with flags of one unnamed environment. */
const OF_ONE_ENVIRONMENT: Readonly<Record<FileKind, (place: DocumentPlace, clock: () => number) => ImportSource>> = {
  'unleash-export': unleashExportSource,
  'client-features': clientFeaturesSource,
  ...{ flagd: flagdSource, flagsmith: flagsmithSource },
}

/** Name of the uploaded content in messages. */
const FILE = 'the file'
const DEFAULT_PROJECT = 'default'
const PRINTABLE = /^[\x21-\x7e]+$/

/** Dependencies for reading a source. */
export interface SourceMeans {
  readonly clock: () => number
  /** Guard of outgoing requests, the same as for integrations. */
  readonly guard: CallGuard
  /** Aborts reads that take too long. */
  readonly ending: AbortSignal
}

/**
 * Creates the source of an import request. Throws ValidationError for missing properties, and for properties that do
 * not apply to this kind of source.
 */
export function wishedSource(wish: ImportWish, { clock, guard, ending }: SourceMeans): ImportSource {
  const { kind, environment, project = DEFAULT_PROJECT } = wish
  if (kind === 'unleash-api') {
    refuse(wish, ['content', 'project', 'environment'])
    const [url, token] = [required(wish, 'address'), required(wish, 'token')]
    if (!isAddress(url))
      throw invalid('"address" must be an address of HTTP without user, password and query.', 'body/address')
    if (!PRINTABLE.test(token)) throw invalid('"token" must be printable ASCII without blanks.', 'body/token')
    return unleashApiSource({ url, token, pauseMs: 0, ending, send: guardedFetch(guard, ending) }, clock)
  }
  refuse(wish, ['address', 'token'])
  const file = { path: FILE, content: required(wish, 'content') }
  if (kind === 'unleash-state') {
    refuse(wish, ['project', 'environment'])
    return unleashStateSource(file, clock)
  }
  if (kind === 'launchdarkly') return launchDarklySource({ ...file, project, environment }, clock)
  return OF_ONE_ENVIRONMENT[kind]({ ...file, project, environment: required(wish, 'environment') }, clock)
}

type Property = Exclude<keyof ImportWish, 'kind' | 'closeUnguarded'>

function required(wish: ImportWish, name: Property): string {
  const value = wish[name]
  if (value === undefined) throw invalid(`"${name}" is needed for the kind "${wish.kind}".`, `body/${name}`)
  return value
}

function refuse(wish: ImportWish, names: readonly Property[]): void {
  const name = names.find((one) => wish[one] !== undefined)
  if (name !== undefined) throw invalid(`"${name}" means nothing to the kind "${wish.kind}".`, `body/${name}`)
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && search === ''
}
