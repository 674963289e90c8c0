import type { Context } from '@burgee/protocol/context'
import { readSpecifications, type Specification } from '../conformance/specification.ts'
import { type Admin, createFlag, createSegment } from './create-flags.ts'
import type { Decision } from './driver.ts'

/** Case of the client specification. `variant` is absent if only on or off is expected. */
export interface SpecificationCase {
  readonly title: string
  readonly flag: string
  readonly context: Context
  readonly isEnabled?: boolean | undefined
  readonly variant?: string
  readonly payload?: string | null
}

/** Returns true if a decision is the one that a case expects. */
export function meets([isOn, name, value]: Decision, { isEnabled, variant, payload }: SpecificationCase): boolean {
  if (isEnabled !== undefined && isOn !== isEnabled) return false
  return variant === undefined || (name === variant && (value || null) === (payload || null))
}

/** Flags of the specification that the admin API accepts. */
export interface SpecificationFlags {
  readonly cases: readonly SpecificationCase[]
  /** Flags that the admin API rejects, or that an earlier file also contains, each with the reason. */
  readonly refused: readonly string[]
}

interface SpecificationFlag {
  readonly name: string
  readonly enabled: boolean
  readonly strategies?: readonly {
    readonly name: string
    readonly segments?: readonly number[]
    readonly parameters?: Readonly<Record<string, unknown>>
  }[]
  readonly variants?: readonly object[]
  readonly dependencies?: readonly { readonly feature: string }[]
}

interface SpecificationDocument {
  readonly features: readonly SpecificationFlag[]
  readonly segments?: readonly { readonly id: number; readonly constraints: readonly object[] }[]
}

/** Creates the flags of all files of the client specification in one environment. */
export async function createSpecifications(admin: Admin): Promise<SpecificationFlags> {
  const created = new Set<string>()
  const cases: SpecificationCase[] = []
  const refused: string[] = []
  for (const specification of readSpecifications()) {
    const reasons = await createFile(admin, specification, created)
    for (const [name, reason] of reasons) refused.push(`${specification.file} ${name}: ${reason}`)
    cases.push(...listCases(specification).filter(({ flag }) => !reasons.has(flag)))
  }
  return { cases, refused }
}

/** Creates the flags of a file. Returns the reason for each flag that could not be created. */
async function createFile(
  admin: Admin,
  { file, document }: Specification,
  created: Set<string>,
): Promise<ReadonlyMap<string, string>> {
  const { features, segments = [] } = document as unknown as SpecificationDocument
  const ids = new Map<number, number>()
  for (const { id, constraints } of segments) {
    ids.set(id, await createSegment(admin, { name: `${file}-${id}`, constraints }))
  }
  const reasons = new Map<string, string>()
  const hasRefusedParent = ({ dependencies = [] }: SpecificationFlag) =>
    dependencies.some(({ feature }) => reasons.has(feature))
  for (const flag of inOrder(features)) {
    try {
      if (created.has(flag.name)) throw new Error('an earlier file has it too')
      await createSpecificationFlag(admin, flag, ids)
      created.add(flag.name)
    } catch (error) {
      reasons.set(flag.name, readReason(error))
    }
  }
  for (const flag of features.filter(hasRefusedParent)) reasons.set(flag.name, 'its parent is left out')
  return reasons
}

/** Returns the error message of a rejected request. */
function readReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const message = /"message":("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  return message === undefined ? text : JSON.parse(message)
}

/** Returns parents before their children. */
function inOrder(flags: readonly SpecificationFlag[]): readonly SpecificationFlag[] {
  const children = flags.filter(({ dependencies = [] }) => dependencies.length > 0)
  return [...flags.filter((flag) => !children.includes(flag)), ...children]
}

async function createSpecificationFlag(
  admin: Admin,
  { name, enabled, strategies = [], variants, dependencies = [] }: SpecificationFlag,
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const own = strategies.map(({ segments = [], parameters = {}, ...strategy }) => ({
    ...strategy,
    // numbers in the specification are strings in the admin API
    parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)])),
    segments: segments.map((id) => ids.get(id) ?? 0),
  }))
  await createFlag(admin, { name, isOff: !enabled, strategies: own, ...(variants && { variants }) })
  const path = `projects/default/features/${encodeURIComponent(name)}/dependencies`
  for (const parent of dependencies) await admin('POST', path, parent)
}

function listCases({ file, tests, variantTests }: Specification): SpecificationCase[] {
  const title = (description: string) => `${file}: ${description}`
  const toggles = tests.map(({ description, toggleName: flag, context, expectedResult: isEnabled }) => {
    return { title: title(description), flag, context, isEnabled }
  })
  const variants = variantTests.map(({ description, toggleName: flag, context, expectedResult }) => {
    const { name: variant, payload, feature_enabled: isEnabled } = expectedResult
    return { title: title(description), flag, context, isEnabled, variant, payload: payload?.value ?? null }
  })
  return [...toggles, ...variants]
}
