import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { isLaunchDarklyAddress } from '@burgee/import/launchdarkly/launchdarkly-api'
import { createLaunchDarklyApiSource, createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { ImportSource } from '@burgee/import/model/source'
import { createUnleashApiSource } from '@burgee/import/unleash/api/unleash-api-source'
import {
  createClientFeaturesSource,
  createUnleashExportSource,
  createUnleashStateSource,
  type EnvironmentFile,
} from '@burgee/import/unleash/documents/unleash-files'
import { createUnleashDatabaseSource } from '@burgee/import/unleash/unleash-database-source'
import { isEncryptedAddress } from '@burgee/kit/options/encrypted-addresses'
import { OptionsError, type Parsed, toKebabCase } from '@burgee/kit/options/options'
import { isEncryptedDatabase } from '@burgee/server/core/options/encryption-options'
import { type IMPORT_OPTIONS, SOURCE_OPTIONS } from './import-options.ts'

type Options = Parsed<typeof IMPORT_OPTIONS>
type SourceName = keyof typeof SOURCE_OPTIONS
type SourceFactory = (options: Options, clock: () => number) => ImportSource | undefined

/** Pause between two requests, so that other clients of the source are not slowed down. */
const PAUSE_MS = 20
const DEFAULT_PROJECT = 'default'
const DEFAULT_SCHEMA = 'public'

/** Functions that create a source, by option; each returns undefined if its option is not given. */
const SOURCES: Readonly<Record<SourceName, SourceFactory>> = {
  fromUnleashDatabase: ({ fromUnleashDatabase: url, schema = DEFAULT_SCHEMA }, clock) =>
    url === undefined ? undefined : createUnleashDatabaseSource({ url, schema }, clock),
  fromUnleashApi({ fromUnleashApi: url, token }, clock) {
    if (url === undefined) return undefined
    if (token === undefined) throw new Error('Give an admin token of that server: BURGEE_IMPORT_TOKEN or --token')
    return createUnleashApiSource({ url, token, pauseMs: PAUSE_MS }, clock)
  },
  fromUnleashState: ({ fromUnleashState: path }, clock) =>
    path === undefined ? undefined : createUnleashStateSource({ path }, clock),
  fromUnleashExport: createDocumentFactory('fromUnleashExport', createUnleashExportSource),
  fromClientFeatures: createDocumentFactory('fromClientFeatures', createClientFeaturesSource),
  fromLaunchdarkly({ fromLaunchdarkly: from, token, project = DEFAULT_PROJECT, environment }, clock) {
    if (from === undefined) return undefined
    const place = { project, environment }
    if (isLaunchDarklyAddress(from)) {
      if (token === undefined)
        throw new Error('Give an access token that can read the project: BURGEE_IMPORT_TOKEN or --token')
      return createLaunchDarklyApiSource({ url: from, token, pauseMs: PAUSE_MS }, place, clock)
    }
    if (token !== undefined)
      throw new Error('--token is only allowed for --from-launchdarkly with a URL, not with a file')
    return createLaunchDarklySource({ path: from, ...place }, clock)
  },
  fromFlagd: createDocumentFactory('fromFlagd', createFlagdSource),
  fromFlagsmith: createDocumentFactory('fromFlagsmith', createFlagsmithSource),
}

type DocumentName = 'fromUnleashExport' | 'fromClientFeatures' | 'fromFlagd' | 'fromFlagsmith'

/** Options that apply only to some sources. */
const OPTION_SOURCES: Readonly<Record<'schema' | 'token' | 'project' | 'environment', readonly SourceName[]>> = {
  schema: ['fromUnleashDatabase'],
  token: ['fromUnleashApi', 'fromLaunchdarkly'],
  project: ['fromUnleashExport', 'fromClientFeatures', 'fromLaunchdarkly', 'fromFlagd', 'fromFlagsmith'],
  environment: ['fromUnleashExport', 'fromClientFeatures', 'fromLaunchdarkly', 'fromFlagd', 'fromFlagsmith'],
}

/** Returns a function that creates a source from a file with the flags of one unnamed environment. */
function createDocumentFactory(
  name: DocumentName,
  source: (place: EnvironmentFile, clock: () => number) => ImportSource,
): SourceFactory {
  return ({ [name]: path, project = DEFAULT_PROJECT, environment }, clock) => {
    if (path === undefined) return undefined
    if (environment === undefined)
      throw new Error(`Name the environment of --${toKebabCase(name)}: --environment production`)
    return source({ path, project, environment }, clock)
  }
}

/** Throws OptionsError if a connection to the source can be unencrypted and leads to another machine. */
function requireEncryptedSource({ fromUnleashDatabase, fromUnleashApi, fromLaunchdarkly }: Options): void {
  if (fromUnleashDatabase !== undefined && !isEncryptedDatabase({ connectionString: fromUnleashDatabase })) {
    throw new OptionsError(['REQUIRE_ENCRYPTION needs TLS to the source: add sslmode=verify-full to its URL'])
  }
  const url = fromUnleashApi ?? (isLaunchDarklyAddress(fromLaunchdarkly ?? '') ? fromLaunchdarkly : undefined)
  if (url === undefined || isEncryptedAddress(url)) return
  throw new OptionsError([`REQUIRE_ENCRYPTION needs an https address of the source, not ${new URL(url).origin}`])
}

/**
 * Returns the source that the options select. Throws if no source or several sources are given, or if an option of
 * another source is given.
 */
export function createImportSource(options: Options, clock: () => number): ImportSource {
  const named = (Object.keys(SOURCES) as SourceName[]).filter((name) => options[name] !== undefined)
  const [only] = named
  const names = Object.keys(SOURCE_OPTIONS)
    .map((name) => `--${toKebabCase(name)}`)
    .join(', ')
  if (only === undefined) throw new Error(`Name a source: ${names}`)
  if (named.length > 1) throw new Error(`Name one source, not several of ${names}`)
  for (const [name, sources] of Object.entries(OPTION_SOURCES)) {
    const isGiven = options[name as keyof typeof OPTION_SOURCES] !== undefined
    if (isGiven && !sources.includes(only)) throw new Error(`--${name} cannot be used with --${toKebabCase(only)}`)
  }
  if (options.requireEncryption) requireEncryptedSource(options)
  const source = SOURCES[only](options, clock)
  if (source === undefined) throw new Error(`Name a source: ${names}`)
  return source
}
