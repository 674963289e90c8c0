import type { Content } from '@burgee/kit/http/content'
import { notFound } from '@burgee/kit/input/refusals'
import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { requireStorable } from '@burgee/storage/errors'
import { noProject } from '../../../core/project-ref.ts'
import { createFlagNotFound, type FeatureEnvironmentRef, type FeatureRef } from '../../flags/feature-ref.ts'
import type { ToolContext } from './tool.ts'

/** Tool arguments that name a flag. */
interface FlagInput {
  readonly projectId?: string | undefined
  readonly featureName: string
}

/**
 * Returns a flag with its project. Throws NotFoundError if there is no such flag, or if its project is hidden from the
 * caller.
 */
export async function resolveFlag(
  { world, caller }: Pick<ToolContext, 'world' | 'caller'>,
  { projectId, featureName: feature }: FlagInput,
): Promise<FeatureRef> {
  requireStorable([projectId, feature])
  const { table } = await world.catalog.flags()
  const project = table.find(feature)?.row.project
  const isVisible = project !== undefined && !caller.actor.hidden.includes(project)
  if (isVisible && (projectId === undefined || projectId === project)) return { project, feature }
  throw projectId === undefined ? createNamedFlagNotFound(feature) : createFlagNotFound({ project: projectId, feature })
}

/** Returns a flag in one environment. Throws the errors of `resolveFlag`. */
export async function resolveFlagEnvironment(
  context: Pick<ToolContext, 'world' | 'caller'>,
  input: FlagInput & { readonly environment: string },
): Promise<FeatureEnvironmentRef> {
  requireStorable([input.environment])
  return { ...(await resolveFlag(context, input)), environment: input.environment }
}

function createNamedFlagNotFound(feature: string) {
  return notFound(`There is no flag "${feature}".`)
}

/** Throws NotFoundError for a project that is hidden from the caller. */
export function requireVisibleProject({ caller }: Pick<ToolContext, 'caller'>, project: string | undefined): void {
  requireStorable([project])
  if (project !== undefined && caller.actor.hidden.includes(project)) throw noProject(project)
}

/** Returns a flag as the admin API shows it. Throws NotFoundError if it is archived. */
export async function readFlag({ world, caller }: ToolContext, ref: FeatureRef): Promise<AdminFeature> {
  const { userId, hidden } = caller.actor
  const page = await world.flagPages.one(ref, { userId, archived: false, hidden })
  return parseContent(page) as AdminFeature
}

/** Returns the value of a JSON reply that was built by another part of the admin API. */
export function parseContent(content: Content): unknown {
  return JSON.parse(content.bytes().toString())
}
