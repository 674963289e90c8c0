import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { StaleReason } from '@burgee/protocol/administration/stale-flags'
import { listPlansOfFlags } from '@burgee/storage/queries/releases/release-plans'
import Type from 'typebox'
import type { FeatureRef } from '../../flags/feature-ref.ts'
import { readFlag, resolveFlag } from './flag-lookup.ts'
import { defineTool, FlagArguments, type Tool, type ToolContext } from './tool.ts'

const DAY_MS = 86_400_000
/** Maximum age of the last request of an SDK at which a flag still counts as in use. */
const IN_USE_DAYS = 7
const MAX_STALE = 1000

/** Facts about a flag that decide whether it can be removed. */
interface Readiness {
  readonly flag: AdminFeature
  readonly isReady: boolean
  readonly blockers: readonly string[]
  readonly reasons: readonly StaleReason[]
  /** Value that the code keeps: the same for everyone in all environments of type production. */
  readonly keptValue: 'on' | 'off' | 'undecided'
}

async function assessRemoval(context: ToolContext, ref: FeatureRef): Promise<Readiness> {
  const { world, caller } = context
  const flag = await readFlag(context, ref)
  const stale = await world.staleInbox.find({ project: ref.project, limit: MAX_STALE }, caller.actor.hidden)
  const reasons = stale.flags.find(({ feature }) => feature.name === ref.feature)?.reasons ?? []
  const plans = await listPlansOfFlags(world.db.reader, [ref.feature])
  const keptValue = await findRemainingValue(context, ref.feature)
  const seenMs = flag.lastSeenAt === null ? undefined : Date.parse(flag.lastSeenAt)
  const blockers = [
    ...(keptValue === 'undecided' ? ['The flag does not have one value for everyone in production.'] : []),
    ...flag.children.map((child) => `The flag ${child} depends on it.`),
    ...plans.map(({ environment }) => `A release plan is active in ${environment}.`),
    ...(seenMs !== undefined && world.clock() - seenMs < IN_USE_DAYS * DAY_MS
      ? [`An SDK asked for it in the last ${IN_USE_DAYS} days: remove it from the code first.`]
      : []),
  ]
  return { flag, isReady: blockers.length === 0, blockers, reasons, keptValue }
}

async function findRemainingValue({ world }: ToolContext, name: string): Promise<Readiness['keptValue']> {
  const all = (await world.catalog.flags()).table.find(name)?.environments ?? []
  const production = all.filter(({ type }) => type === 'production')
  const decisive = production.length > 0 ? production : all
  if (decisive.length === 0 || decisive.every(({ enabled }) => enabled === 0)) return 'off'
  return decisive.every(({ enabled, matchesAll }) => enabled === 1 && matchesAll) ? 'on' : 'undecided'
}

const READINESS = {
  featureName: Type.String(),
  projectId: Type.String(),
  isReady: Type.Boolean(),
  keptValue: Type.Enum(['on', 'off', 'undecided']),
  blockers: Type.Array(Type.String()),
  reasons: Type.Array(StaleReason),
}

function toContent({ flag, isReady, blockers, reasons, keptValue }: Readiness) {
  const facts = { isReady, keptValue, blockers: [...blockers], reasons: [...reasons] }
  return { featureName: flag.name, projectId: flag.project, ...facts }
}

const checkRemovalReadiness = defineTool({
  name: 'check_removal_readiness',
  title: 'Check whether a flag can be removed',
  description:
    'Checks whether a flag can be removed from the code and archived: its value in production, dependent flags, release plans and recent use.',
  input: Type.Object(FlagArguments, { additionalProperties: false }),
  output: Type.Object({ ...READINESS, lastSeenAt: Type.Union([Type.String(), Type.Null()]) }),
  run: async (input, context) => {
    const readiness = await assessRemoval(context, await resolveFlag(context, input))
    const { flag, isReady, blockers } = readiness
    const state = isReady ? 'ready to be removed' : `not ready, ${blockers.length} blockers`
    return { content: { ...toContent(readiness), lastSeenAt: flag.lastSeenAt }, text: `${flag.name}: ${state}.` }
  },
})

function listSteps({ flag, keptValue, blockers }: Readiness): string[] {
  const { name } = flag
  const branch = keptValue === 'on' ? 'enabled' : 'disabled'
  return [
    ...blockers.map((blocker) => `Resolve first: ${blocker}`),
    `Find every use of ${name} in the code, including tests and configuration.`,
    ...(keptValue === 'undecided'
      ? [`Decide which value of ${name} stays, and roll it out to everyone.`]
      : [`Keep the ${branch} branch, and delete the check and the other branch.`]),
    'Delete code, tests and translations that only the deleted branch used, and run the tests.',
    `Release the change, wait until no SDK asks for ${name}, and archive the flag.`,
  ]
}

const cleanupFlag = defineTool({
  name: 'cleanup_flag',
  title: 'Brief for removing a flag',
  description: 'Returns a brief for removing a flag from the code: which value stays, what blocks it, and the steps.',
  input: Type.Object(FlagArguments, { additionalProperties: false }),
  output: Type.Object({
    ...READINESS,
    variants: Type.Array(Type.String()),
    steps: Type.Array(Type.String()),
    links: Type.Array(Type.String()),
  }),
  run: async (input, context) => {
    const readiness = await assessRemoval(context, await resolveFlag(context, input))
    const { flag } = readiness
    const variants = [...new Set(flag.environments.flatMap((one) => one.variants.map(({ name }) => name)))]
    const links = flag.links.map(({ url }) => url)
    const content = { ...toContent(readiness), variants, steps: listSteps(readiness), links }
    return { content, text: `${flag.name}: keep ${readiness.keptValue}, ${content.steps.length} steps.` }
  },
})

/** Tools for the removal of flags. */
export const cleanupTools: readonly Tool[] = [checkRemovalReadiness, cleanupFlag]
