import type { Note } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import type { ImportSource } from '@burgee/import/model/source'
import type { ComparisonSettings } from '@burgee/import/verify/compare-decisions'
import { type ComparedPart, compareDocumentsInSteps, listIpv6Flags } from '@burgee/import/verify/compared-part'
import type { Pair } from '@burgee/import/verify/definition-difference'
import { EqualPairs } from '@burgee/import/verify/equal-pairs'
import { buildSourceDocument } from '@burgee/import/verify/source-document'
import { runInSlices } from '@burgee/kit/slices'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Database } from '@burgee/storage/database'
import { readEnvironment } from '@burgee/storage/document-flags'
import { ALREADY_EXISTS } from './import-order.ts'

/** Result of comparing source and target after an import, by environment. */
export interface VerifiedImport {
  /** Names for the source and the target in messages. */
  readonly names: Pair<string>
  /** Differences that the report does not mention. */
  readonly parts: readonly ComparedPart[]
  /** Flags whose differences are already covered by the report. */
  readonly reported: readonly string[]
  /**
   * True if the source served its SDK documents for every environment. False if the documents were derived from the
   * data that was read.
   */
  readonly isFromSource: boolean
}

/** Import to verify, and the sample of contexts to compare. */
export interface Verification {
  readonly source: Pick<ImportSource, 'served'>
  readonly installation: Installation
  readonly notes: readonly Note[]
  readonly asked: ComparisonSettings
  readonly progress: (done: number, of: number) => void
}

const HERE = 'this server'

/**
 * Compares the documents that this server serves to SDKs after an import with the documents of the source. The
 * documents of the source come from its SDK API if available, otherwise from the data that was read. Skips a flag in an
 * environment if both sides define it as in another environment in which the results were equal. Throws the errors of
 * the source.
 */
export async function verifyImport(db: Pick<Database, 'view'>, order: Verification): Promise<VerifiedImport> {
  const { source, installation, notes, asked: requested, progress } = order
  const names = { a: installation.origin.name, b: HERE }
  const [left, reportedFlags] = [
    getFlagsWithNotes(notes, (note) => note.words === ALREADY_EXISTS),
    getFlagsWithNotes(notes, isInexact),
  ]
  const used = new Set(installation.flags.flatMap(({ states }) => states.map(({ environment }) => environment)))
  const environments = installation.environments.map(({ name }) => name).filter((name) => used.has(name))
  const parts: ComparedPart[] = []
  const differing = new Set<string>()
  const pairs = new EqualPairs()
  let isServed = environments.length > 0
  for (const [position, environment] of environments.entries()) {
    progress(position, environments.length)
    const served = await source.served?.(environment)
    isServed &&= served !== undefined
    const here = await db.view((reader) => readEnvironment(reader, environment))
    const place = { environment, token: undefined, kind: 'import' } as const
    const came = getImportedFlags(installation, left, served?.projects)
    const needed = withParents(installation, came)
    const there = keepOnly(served?.document ?? buildSourceDocument(installation, environment), needed)
    const features = here.flags.map(({ feature }) => feature).filter(createPresenceFilter(installation, environment))
    const ours = { version: 2, features, segments: here.segments }
    const documents = { a: there, b: keepOnly(ours, needed) }
    const index = pairs.index(documents)
    const fresh = new Set([...came].filter((name) => !index.isKnown(name)))
    const compared = withParents(installation, fresh)
    const changed = { a: keepOnly(there, compared), b: keepOnly(ours, compared) }
    const part = await runInSlices(compareDocumentsInSteps(place, changed, { comparison: requested, names }))
    const unequal = new Set(part.differences.map(({ flag }) => flag))
    for (const name of fresh) if (!unequal.has(name)) index.add(name)
    const isReported = (flag: string | undefined): boolean => flag !== undefined && reportedFlags.has(flag)
    const own = part.differences.filter(({ flag }) => flag === undefined || came.has(flag))
    for (const { flag = '' } of own) if (isReported(flag)) differing.add(flag)
    const differences = own.filter(({ flag }) => !isReported(flag))
    const flags = [...came].filter((flag) => index.has(flag) && !differing.has(flag))
    parts.push({ ...part, flags, differences, ipv6Lists: listIpv6Flags(documents) })
  }
  progress(environments.length, environments.length)
  return { names, parts, reported: [...differing].sort(), isFromSource: isServed }
}

function isInexact({ fidelity }: Note): boolean {
  return fidelity !== 'exact'
}

/**
 * Returns the names of the flags to which the given kinds of notes refer. A note is named after a flag, a flag in an
 * environment, or a flag and its parent.
 */
function getFlagsWithNotes(notes: readonly Note[], isWanted: (note: Note) => boolean): Set<string> {
  const own = notes.filter((note) => (note.kind === 'flag' || note.kind === 'dependency') && isWanted(note))
  return new Set(own.flatMap(({ name }) => [name, name.replace(/ in [^ ]+$/, ''), name.replace(/ → .*$/, '')]))
}

/** Returns the imported flags in the projects that the SDK documents of the source contain. */
function getImportedFlags(
  { flags }: Installation,
  left: ReadonlySet<string>,
  projects: readonly string[] = ['*'],
): ReadonlySet<string> {
  const own = flags.filter(
    ({ name, project }) => !left.has(name) && (projects.includes('*') || projects.includes(project)),
  )
  return new Set(own.map(({ name }) => name))
}

/**
 * Returns a filter that drops disabled flags without a state in the source, because a disabled flag is equivalent to a
 * missing flag.
 */
function createPresenceFilter(
  { flags }: Installation,
  environment: string,
): (flag: FeatureDocument['features'][number]) => boolean {
  const stateless = flags.filter(({ states }) => states.every((state) => state.environment !== environment))
  const names = new Set(stateless.map(({ name }) => name))
  return ({ name, enabled }) => enabled || !names.has(name)
}

/**
 * Adds the parents of flags, because a parent that already existed in this installation may be on for other users than
 * in the source.
 */
function withParents({ flags }: Installation, came: ReadonlySet<string>): ReadonlySet<string> {
  const own = flags.filter(({ name }) => came.has(name))
  return new Set([...came, ...own.flatMap(({ dependencies }) => dependencies.map(({ parent }) => parent))])
}

/**
 * Drops the flags that the comparison does not need. Flags that exist on only one side are also compared if the source
 * names them.
 */
function keepOnly(document: FeatureDocument, needed: ReadonlySet<string>): FeatureDocument {
  return { ...document, features: document.features.filter(({ name }) => needed.has(name)) }
}
