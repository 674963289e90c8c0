import { setImmediate } from 'node:timers/promises'
import type { AdminFeature, FeatureListItem } from '@burgee/protocol/admin-feature'
import { StaleFlag, StaleReason } from '@burgee/protocol/administration/stale-flags'
import type { FoundFeature } from '@burgee/protocol/search'
import { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { type ListedPlan, listPlansOfFlags } from '@burgee/storage/queries/releases/release-plans'
import Type from 'typebox'
import { readAgentLimits } from '../agent-limits.ts'
import { parseContent, readFlag, requireVisibleProject, resolveFlag } from './flag-lookup.ts'
import { defineTool, EnvironmentArguments, FlagArguments, type Tool, type ToolContext } from './tool.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])

const FlagSummary = Type.Object({
  name: Type.String(),
  projectId: Type.String(),
  type: Type.String(),
  description: NullableText,
  stale: Type.Boolean(),
  createdAt: Type.String(),
  lastSeenAt: NullableText,
  environments: Type.Array(
    Type.Object({
      name: Type.String(),
      enabled: Type.Boolean(),
      matchesAll: Type.Boolean(),
      strategies: Type.Integer(),
    }),
  ),
})

function toSummary(flag: FeatureListItem) {
  return {
    name: flag.name,
    projectId: flag.project,
    type: flag.type,
    description: flag.description,
    stale: flag.stale || flag.potentiallyStale,
    createdAt: flag.createdAt,
    lastSeenAt: flag.lastSeenAt,
    environments: flag.environments.map(({ name, enabled, matchesAll, enabledStrategyCount }) => ({
      name,
      enabled,
      matchesAll,
      strategies: enabledStrategyCount,
    })),
  }
}

const Page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of flags. Default: 50.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
}

interface Search {
  readonly query?: string | undefined
  readonly project?: string | undefined
  readonly tag?: string | undefined
  readonly offset?: number | undefined
  readonly limit: number
  readonly isTolerant?: boolean
}

async function searchFlags({ world, caller }: ToolContext, search: Search) {
  const { query, project, tag, offset, limit, isTolerant = false } = search
  const filter = {
    ...(query === undefined ? {} : { query }),
    ...(project === undefined ? {} : { project: `IS:${project}` }),
    ...(tag === undefined ? {} : { tag: `INCLUDE:${tag}` }),
    ...(isTolerant ? { similar: true } : {}),
    ...(offset === undefined ? {} : { offset }),
    limit,
    sortBy: 'name',
  }
  const view = { now: world.clock(), userId: caller.actor.userId, hidden: caller.actor.hidden }
  return parseContent(await world.flagPages.search(filter, view)) as {
    readonly features: readonly FoundFeature[]
    readonly total: number
  }
}

const DEFAULT_LIMIT = 50

const listFlags = defineTool({
  name: 'list_flags',
  title: 'List flags',
  description: 'Lists feature flags by name, with their state in every environment. Filters by project, text and tag.',
  input: Type.Object(
    {
      projectId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      query: Type.Optional(Type.String({ maxLength: 200, description: 'Words in the name, description or tags.' })),
      tag: Type.Optional(Type.String({ maxLength: 160, description: 'Tag as type:value.' })),
      ...Page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ flags: Type.Array(FlagSummary), total: Type.Integer() }),
  run: async ({ projectId, query, tag, offset, limit = DEFAULT_LIMIT }, context) => {
    requireVisibleProject(context, projectId)
    const { features, total } = await searchFlags(context, { query, project: projectId, tag, offset, limit })
    return { content: { flags: features.map(toSummary), total }, text: `${features.length} of ${total} flags.` }
  },
})

const EnvironmentState = Type.Object({
  name: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  /** Access of agents in this environment: read, propose or write. */
  agentAccess: Type.String(),
  strategies: Type.Array(AdminStrategy),
  releasePlan: Type.Union([
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      activeMilestoneId: Type.String(),
      isPaused: Type.Boolean(),
      milestones: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    }),
    Type.Null(),
  ]),
})

async function toEnvironments({ world }: ToolContext, flag: AdminFeature) {
  const limits = await readAgentLimits(world.db.reader)
  const plans = await listPlansOfFlags(world.db.reader, [flag.name])
  return flag.environments.map(({ name, type, enabled, strategies }) => {
    const plan = plans.find(({ environment }) => environment === name)
    return {
      name,
      type,
      enabled,
      agentAccess: limits.find(({ environment }) => environment === name)?.access ?? 'read',
      strategies,
      releasePlan: plan === undefined ? null : toPlan(plan),
    }
  })
}

function toPlan({ id, name, active_milestone_id: activeMilestoneId, paused_at, milestones }: ListedPlan) {
  const listed = milestones.map((one) => ({ id: one.id, name: one.name }))
  return { id, name, activeMilestoneId, isPaused: paused_at !== null, milestones: listed }
}

const getFlagState = defineTool({
  name: 'get_flag_state',
  title: 'Get flag state',
  description:
    'Returns a flag with its environments, strategies and dependencies, and what agents may do in each environment.',
  input: Type.Object(
    { ...FlagArguments, environment: Type.Optional(EnvironmentArguments.environment) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    name: Type.String(),
    projectId: Type.String(),
    type: Type.String(),
    description: NullableText,
    stale: Type.Boolean(),
    createdAt: Type.String(),
    environments: Type.Array(EnvironmentState),
    parents: Type.Array(Type.Unknown()),
    children: Type.Array(Type.String()),
  }),
  run: async ({ environment, ...input }, context) => {
    const flag = await readFlag(context, await resolveFlag(context, input))
    const all = await toEnvironments(context, flag)
    const environments = environment === undefined ? all : all.filter(({ name }) => name === environment)
    const states = environments.map(({ name, enabled }) => `${name} ${enabled ? 'on' : 'off'}`)
    const { name, project: projectId, type, description, stale, createdAt, dependencies, children } = flag
    const content = { name, projectId, type, description, stale, createdAt, environments, children }
    return { content: { ...content, parents: dependencies }, text: `${name}: ${states.join(', ')}.` }
  },
})

const MAX_WORDS = 12
const MIN_WORD_LENGTH = 3
const MAX_CANDIDATES = 10

/** Returns the words of a text that help to distinguish flags. */
function listWords(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [...new Set(words.filter((word) => word.length >= MIN_WORD_LENGTH))].slice(0, MAX_WORDS)
}

const detectFlag = defineTool({
  name: 'detect_flag',
  title: 'Detect an existing flag',
  description:
    'Finds flags that may already cover a planned change, by the words of their name, description and tags. Call it before create_flag.',
  input: Type.Object(
    {
      description: Type.String({ minLength: 3, maxLength: 1000, description: 'What the flag would be for.' }),
      projectId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    candidates: Type.Array(Type.Object({ ...FlagSummary.properties, matchedWords: Type.Array(Type.String()) })),
  }),
  run: async ({ description, projectId }, context) => {
    requireVisibleProject(context, projectId)
    const matches = new Map<string, { readonly flag: FoundFeature; readonly words: string[] }>()
    for (const word of listWords(description)) {
      // each word is searched for in all flags; other requests run in between
      await setImmediate()
      const { features } = await searchFlags(context, { query: word, project: projectId, limit: 100, isTolerant: true })
      for (const flag of features) {
        const known = matches.get(flag.name)
        if (known === undefined) matches.set(flag.name, { flag, words: [word] })
        else known.words.push(word)
      }
    }
    const best = [...matches.values()].sort((a, b) => b.words.length - a.words.length).slice(0, MAX_CANDIDATES)
    const candidates = best.map(({ flag, words }) => ({ ...toSummary(flag), matchedWords: words }))
    return { content: { candidates }, text: `${candidates.length} flags share words with the description.` }
  },
})

const listStaleFlags = defineTool({
  name: 'list_stale_flags',
  title: 'List stale flags',
  description:
    'Lists flags that can probably be removed, with the reasons (marked, overdue, on for everyone, unused), the number of places in the code, and the commit that removed them.',
  input: Type.Object(
    { projectId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...Page },
    { additionalProperties: false },
  ),
  output: Type.Object({
    flags: Type.Array(
      Type.Object({
        ...FlagSummary.properties,
        reasons: Type.Array(StaleReason),
        owner: NullableText,
        code: StaleFlag.properties.code,
      }),
    ),
    total: Type.Integer(),
  }),
  run: async ({ projectId, offset = 0, limit = DEFAULT_LIMIT }, context) => {
    requireVisibleProject(context, projectId)
    const search = { ...(projectId === undefined ? {} : { project: projectId }), offset, limit }
    const found = await context.world.staleInbox.find(search, context.caller.actor.hidden)
    const flags = found.flags.map(({ feature, reasons, owner, code }) => ({
      ...toSummary(feature),
      reasons,
      owner,
      code,
    }))
    return { content: { flags, total: found.total }, text: `${flags.length} of ${found.total} stale flags.` }
  },
})

/** Tools that list flags. */
export const listTools: readonly Tool[] = [listFlags, getFlagState, detectFlag, listStaleFlags]
