import { flagdSource } from '@burgee/import/flagd/flagd-source'
import { flagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { isLaunchDarklyAddress } from '@burgee/import/launchdarkly/launchdarkly-api'
import { launchDarklyApiSource, launchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { ImportSource } from '@burgee/import/model/source'
import { unleashApiSource } from '@burgee/import/unleash/api/unleash-api-source'
import {
  clientFeaturesSource,
  type DocumentPlace,
  unleashExportSource,
  unleashStateSource,
} from '@burgee/import/unleash/documents/unleash-files'
import { unleashDatabaseSource } from '@burgee/import/unleash/unleash-database-source'
import type { Parsed } from '@burgee/kit/options/options'
import { kebab } from '@burgee/kit/options/options'
import { type IMPORT_OPTIONS, SOURCE_OPTIONS } from './import-options.ts'

type Options = Parsed<typeof IMPORT_OPTIONS>
type SourceName = keyof typeof SOURCE_OPTIONS
type Make = (options: Options, clock: () => number) => ImportSource | undefined

/** Pause between two requests, to leave capacity for other clients of the source. */
const PAUSE_MS = 20
const DEFAULT_PROJECT = 'default'
const DEFAULT_SCHEMA = 'public'

/** Factories of sources by option; each returns undefined if its option is not given. */
const SOURCES: Readonly<Record<SourceName, Make>> = {
  fromUnleashDatabase: ({ fromUnleashDatabase: url, schema = DEFAULT_SCHEMA }, clock) =>
    url === undefined ? undefined : unleashDatabaseSource({ url, schema }, clock),
  fromUnleashApi({ fromUnleashApi: url, token }, clock) {
    if (url === undefined) return undefined
    if (token === undefined) throw new Error('Give an admin token of that server: BURGEE_IMPORT_TOKEN or --token')
    return unleashApiSource({ url, token, pauseMs: PAUSE_MS }, clock)
  },
  fromUnleashState: ({ fromUnleashState: path }, clock) =>
    path === undefined ? undefined : unleashStateSource({ path }, clock),
  fromUnleashExport: ofDocument('fromUnleashExport', unleashExportSource),
  fromClientFeatures: ofDocument('fromClientFeatures', clientFeaturesSource),
  fromLaunchdarkly({ fromLaunchdarkly: from, token, project = DEFAULT_PROJECT, environment }, clock) {
    if (from === undefined) return undefined
    const place = { project, environment }
    if (isLaunchDarklyAddress(from)) {
      if (token === undefined)
        throw new Error('Give an access token that may read the project: BURGEE_IMPORT_TOKEN or --token')
      return launchDarklyApiSource({ url: from, token, pauseMs: PAUSE_MS }, place, clock)
    }
    if (token !== undefined) throw new Error('--token is for an address with --from-launchdarkly, not for a file')
    return launchDarklySource({ path: from, ...place }, clock)
  },
  fromFlagd: ofDocument('fromFlagd', flagdSource),
  fromFlagsmith: ofDocument('fromFlagsmith', flagsmithSource),
}

type DocumentName = 'fromUnleashExport' | 'fromClientFeatures' | 'fromFlagd' | 'fromFlagsmith'

/** Options that apply only to some sources. */
const ONLY_FOR: Readonly<Record<'schema' | 'token' | 'project' | 'environment', readonly SourceName[]>> = {
  schema: ['fromUnleashDatabase'],
  token: ['fromUnleashApi', 'fromLaunchdarkly'],
  project: ['fromUnleashExport', 'fromClientFeatures', 'fromLaunchdarkly', 'fromFlagd', 'fromFlagsmith'],
  environment: ['fromUnleashExport', 'fromClientFeatures', 'fromLaunchdarkly', 'fromFlagd', 'fromFlagsmith'],
}

/** Returns the factory of a file that contains flags of one unnamed environment. */
function ofDocument(name: DocumentName, source: (place: DocumentPlace, clock: () => number) => ImportSource): Make {
  return ({ [name]: path, project = DEFAULT_PROJECT, environment }, clock) => {
    if (path === undefined) return undefined
    if (environment === undefined) throw new Error(`Name the environment of --${kebab(name)}: --environment production`)
    return source({ path, project, environment }, clock)
  }
}

/** Returns the given source. Throws without a source, with several, and for options of other sources. */
export function sourceOf(options: Options, clock: () => number): ImportSource {
  const named = (Object.keys(SOURCES) as SourceName[]).filter((name) => options[name] !== undefined)
  const [only] = named
  const names = Object.keys(SOURCE_OPTIONS)
    .map((name) => `--${kebab(name)}`)
    .join(', ')
  if (only === undefined) throw new Error(`Name where to read: ${names}`)
  if (named.length > 1) throw new Error(`Name one source, not several of ${names}`)
  for (const [name, sources] of Object.entries(ONLY_FOR)) {
    const isGiven = options[name as keyof typeof ONLY_FOR] !== undefined
    if (isGiven && !sources.includes(only)) throw new Error(`--${name} is for other sources than --${kebab(only)}`)
  }
  const source = SOURCES[only](options, clock)
  if (source === undefined) throw new Error(`Name where to read: ${names}`)
  return source
}
