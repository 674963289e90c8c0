import type { Note } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import type { ImportSource } from '@burgee/import/model/source'
import type { Asked } from '@burgee/import/verify/compare-decisions'
import { type ComparedPart, documentsSteps } from '@burgee/import/verify/compared-part'
import type { Pair } from '@burgee/import/verify/definition-difference'
import { heldDocument } from '@burgee/import/verify/held-document'
import { runInSlices } from '@burgee/kit/slices'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Database } from '../../store/database.ts'
import { readEnvironment } from '../../store/document-flags.ts'
import { STAYS } from './import-order.ts'

/** What was compared after an import, environment by environment. */
export interface VerifiedImport {
  /** What the two sides are called in words: there, and here. */
  readonly names: Pair<string>
  /** Differences that the report does not tell of. */
  readonly parts: readonly ComparedPart[]
  /** Flags that differ as the report says. */
  readonly told: readonly string[]
  /** Whether the source itself gave what SDKs get there, for each environment; otherwise it was derived from what was read. */
  readonly isAsked: boolean
}

/** What an import was made of, and what is compared. */
export interface VerifyOrder {
  readonly source: Pick<ImportSource, 'served'>
  readonly installation: Installation
  readonly notes: readonly Note[]
  readonly asked: Asked
  readonly progress: (done: number, of: number) => void
}

const HERE = 'this server'

/**
 * Compares what SDKs get here, after an import, with what they get there: of the other server where it can be asked, else
 * of what was read. Throws what the source throws.
 */
export async function verifyImport(db: Pick<Database, 'view'>, order: VerifyOrder): Promise<VerifiedImport> {
  const { source, installation, notes, asked, progress } = order
  const names = { a: installation.origin.name, b: HERE }
  const [left, told] = [flagsWith(notes, (note) => note.words === STAYS), flagsWith(notes, differs)]
  const used = new Set(installation.flags.flatMap(({ states }) => states.map(({ environment }) => environment)))
  const environments = installation.environments.map(({ name }) => name).filter((name) => used.has(name))
  const parts: ComparedPart[] = []
  const differing = new Set<string>()
  let isAsked = environments.length > 0
  for (const [index, environment] of environments.entries()) {
    progress(index, environments.length)
    const served = await source.served?.(environment)
    isAsked &&= served !== undefined
    const here = await db.view((reader) => readEnvironment(reader, environment))
    const place = { environment, token: undefined, kind: 'import' } as const
    const came = meant(installation, left, served?.projects)
    const needed = withParents(installation, came)
    const there = without(served?.document ?? heldDocument(installation, environment), needed)
    const features = here.flags.map(({ feature }) => feature).filter(isThere(installation, environment))
    const ours = { version: 2, features, segments: here.segments }
    const documents = { a: there, b: without(ours, needed) }
    const part = await runInSlices(documentsSteps(place, documents, { asked, names }))
    const isTold = (flag: string | undefined): boolean => flag !== undefined && told.has(flag)
    const own = part.differences.filter(({ flag }) => flag === undefined || came.has(flag))
    for (const { flag = '' } of own) if (isTold(flag)) differing.add(flag)
    const differences = own.filter(({ flag }) => !isTold(flag))
    const flags = part.flags.filter((flag) => came.has(flag) && !differing.has(flag))
    parts.push({ ...part, flags, differences })
  }
  progress(environments.length, environments.length)
  return { names, parts, told: [...differing].sort(), isAsked }
}

function differs({ fidelity }: Note): boolean {
  return fidelity !== 'exact'
}

/** Flags of which some notes tell: these name a flag, a flag in an environment, or a flag and its parent. */
function flagsWith(notes: readonly Note[], isWanted: (note: Note) => boolean): Set<string> {
  const own = notes.filter((note) => (note.kind === 'flag' || note.kind === 'dependency') && isWanted(note))
  return new Set(own.flatMap(({ name }) => [name, name.replace(/ in [^ ]+$/, ''), name.replace(/ → .*$/, '')]))
}

/** Of a merge those that came; of a token those of its projects. */
function meant(
  { flags }: Installation,
  left: ReadonlySet<string>,
  projects: readonly string[] = ['*'],
): ReadonlySet<string> {
  const own = flags.filter(
    ({ name, project }) => !left.has(name) && (projects.includes('*') || projects.includes(project)),
  )
  return new Set(own.map(({ name }) => name))
}

/** What the source has no state for is off here, which is as good as not there. */
function isThere({ flags }: Installation, environment: string): (flag: FeatureDocument['features'][number]) => boolean {
  const stateless = flags.filter(({ states }) => states.every((state) => state.environment !== environment))
  const names = new Set(stateless.map(({ name }) => name))
  return ({ name, enabled }) => enabled || !names.has(name)
}

/** With the parents by which some of them are on: one that was here before is on for others. */
function withParents({ flags }: Installation, came: ReadonlySet<string>): ReadonlySet<string> {
  const own = flags.filter(({ name }) => came.has(name))
  return new Set([...came, ...own.flatMap(({ dependencies }) => dependencies.map(({ parent }) => parent))])
}

/** A flag that only one side has is seen as long as the source names it. */
function without(document: FeatureDocument, needed: ReadonlySet<string>): FeatureDocument {
  return { ...document, features: document.features.filter(({ name }) => needed.has(name)) }
}
