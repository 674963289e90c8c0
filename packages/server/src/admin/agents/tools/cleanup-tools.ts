import { Removal } from '@burgee/protocol/administration/removal'
import { StaleReason } from '@burgee/protocol/administration/stale-flags'
import Type from 'typebox'
import type { FeatureRef } from '../../flags/feature-ref.ts'
import { writeBrief } from '../../removal/brief.ts'
import { readRemoval } from '../../removal/removal.ts'
import { readFlag, resolveFlag } from './flag-lookup.ts'
import { defineTool, FlagArguments, type Tool, type ToolContext } from './tool.ts'

const MAX_STALE = 1000

const { verdict, keep, since, evidence, blockers, referenceCount } = Removal.properties

const READINESS = {
  featureName: Type.String(),
  projectId: Type.String(),
  verdict,
  keep,
  since,
  evidence,
  blockers,
  referenceCount,
}

/** Returns the assessment of a flag without the code references. */
async function assess({ world }: ToolContext, ref: FeatureRef) {
  const { references: _r, removals: _e, ...assessment } = await readRemoval(world, ref)
  return { featureName: ref.feature, projectId: ref.project, ...assessment }
}

const checkRemovalReadiness = defineTool({
  name: 'check_removal_readiness',
  title: 'Check whether a flag can be removed',
  description:
    'Checks whether a flag can be removed from the code and archived: the path to keep, computed across all production environments, and blockers.',
  input: Type.Object(FlagArguments, { additionalProperties: false }),
  output: Type.Object({
    ...READINESS,
    reasons: Type.Array(StaleReason),
    lastSeenAt: Type.Union([Type.String(), Type.Null()]),
  }),
  run: async (input, context) => {
    const { world, caller } = context
    const ref = await resolveFlag(context, input)
    const { lastSeenAt } = await readFlag(context, ref)
    const stale = await world.staleInbox.find({ project: ref.project, limit: MAX_STALE }, caller.actor.hidden)
    const reasons = stale.flags.find(({ feature }) => feature.name === ref.feature)?.reasons ?? []
    const content = { ...(await assess(context, ref)), reasons: [...reasons], lastSeenAt }
    return { content, text: `${ref.feature}: ${content.verdict}, ${content.blockers.length} blockers.` }
  },
})

const cleanupFlag = defineTool({
  name: 'cleanup_flag',
  title: 'Brief for removing a flag',
  description:
    'Returns a brief for removing a flag from the code, as Markdown: which path stays and why, what blocks it, every known place in the code, and the steps.',
  input: Type.Object(FlagArguments, { additionalProperties: false }),
  output: Type.Object({
    ...READINESS,
    references: Removal.properties.references,
    brief: Type.String(),
    links: Type.Array(Type.String()),
  }),
  run: async (input, context) => {
    const { world } = context
    const ref = await resolveFlag(context, input)
    const links = (await readFlag(context, ref)).links.map(({ url }) => url)
    const removal = await readRemoval(world, ref)
    const { removals: _, ...assessment } = removal
    const named = { featureName: ref.feature, projectId: ref.project, links }
    const content = { ...named, ...assessment, brief: writeBrief(ref, removal) }
    return { content, text: `${ref.feature}: ${removal.verdict}, ${removal.referenceCount} places in the code.` }
  },
})

/** Tools for removing flags. */
export const cleanupTools: readonly Tool[] = [checkRemovalReadiness, cleanupFlag]
