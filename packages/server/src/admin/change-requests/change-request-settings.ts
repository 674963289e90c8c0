import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeRequestConfig, ChangeRequestConfigInput } from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import {
  findSettings,
  listSettingsOfProject,
  putSettings,
} from '@burgee/storage/queries/change-requests/change-request-settings'
import { hasEnvironment, type ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import type { Change } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'

const DEFAULT_APPROVALS = 1

/**
 * Returns the change-request setting for each environment of a project, including protected environments that the
 * project no longer uses. Throws NotFoundError.
 */
export async function readChangeRequestConfig(reader: Reader, project: string): Promise<ChangeRequestConfig[]> {
  await requireProject(reader, project)
  return (await listSettingsOfProject(reader, project)).map(({ environment, type, enabled, required_approvals }) => ({
    environment,
    type,
    changeRequestEnabled: enabled === 1,
    requiredApprovals: enabled === 1 ? required_approvals : null,
  }))
}

/** Returns the number of approvals currently required in an environment. */
export async function readRequiredApprovals(reader: Reader, place: ProjectEnvironmentKey): Promise<number> {
  return (await findSettings(reader, place))?.required_approvals ?? DEFAULT_APPROVALS
}

/**
 * Sets whether change requests are required in an environment of a project, and the number of required approvals. If
 * the number is omitted, the stored number is not changed. An unchanged setting creates no event. Protection of an
 * environment that the project no longer uses can only be turned off. Throws NotFoundError, ValidationError.
 */
export const configureChangeRequests: Change<ProjectEnvironmentKey & { body: ChangeRequestConfigInput }, void> = async (
  tx,
  { body, ...place },
) => {
  const before = await findSettings(tx, place)
  if (body.changeRequestsEnabled || before === undefined) await requireProjectEnvironment(tx, place)
  if (body.changeRequestsEnabled && body.requiredApprovals === 0) {
    throw invalid('The `requiredApprovals` property must be >= 1.', 'body/requiredApprovals')
  }
  const enabled = Number(body.changeRequestsEnabled)
  const required_approvals = (body.requiredApprovals || before?.required_approvals) ?? DEFAULT_APPROVALS
  const isSame = (before?.enabled ?? 0) === enabled && before?.required_approvals === required_approvals
  if (isSame || (before === undefined && enabled === 0)) return { result: undefined, events: [] }
  await putSettings(tx, { ...place, enabled, required_approvals })
  const states = {
    data: { enabled: enabled === 1, requiredApprovals: required_approvals },
    preData: { enabled: before?.enabled === 1, requiredApprovals: before?.required_approvals ?? null },
  }
  return { result: undefined, events: [{ type: 'change-request-configuration-updated', ...place, ...states }] }
}

/** Throws NotFoundError if the project does not use the environment. */
export async function requireProjectEnvironment(reader: Reader, place: ProjectEnvironmentKey): Promise<void> {
  await requireProject(reader, place.project)
  if (await hasEnvironment(reader, place)) return
  throw notFound(`There is no environment "${place.environment}" in project "${place.project}".`)
}
