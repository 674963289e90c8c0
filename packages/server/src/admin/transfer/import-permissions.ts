import type { FeatureImport } from '@burgee/protocol/administration/feature-transfer'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import { getProject } from '../targeting/segments.ts'
import type { ImportTarget } from './feature-import-target.ts'
import { listUnguardedFlags } from './imported-states.ts'

/** Returns the names of permissions that the import needs and the caller lacks. */
export function listMissingPermissions(actor: Rights, input: FeatureImport, target: ImportTarget): string[] {
  const { known, withStrategies, legalValues, tagTypes, segments } = target
  const { project, environment, data } = input
  const states = data.featureEnvironments ?? []
  const needed: readonly (readonly [permission: string, isNeeded: boolean])[] = [
    ['CREATE_FEATURE', data.features.some(({ name }) => !known.has(name))],
    ['UPDATE_FEATURE', true],
    ['CREATE_FEATURE_STRATEGY', data.featureStrategies.length > 0 || opensFlags(input, target)],
    ['DELETE_FEATURE_STRATEGY', withStrategies.size > 0],
    ['UPDATE_FEATURE_ENVIRONMENT', states.some(({ enabled }) => enabled !== undefined)],
    [
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
      // for a flag that has variants, an empty list of variants is a change as well
      states.some(({ featureName, variants }) => variants && (variants.length > 0 || known.has(featureName))),
    ],
    ['UPDATE_FEATURE_DEPENDENCY', (data.dependencies ?? []).length > 0],
    ['CREATE_CONTEXT_FIELD', (data.contextFields ?? []).some(({ name }) => !legalValues.has(name))],
    ['CREATE_TAG_TYPE', data.tagTypes.some(({ name }) => !tagTypes.has(name))],
  ]
  const lacking = needed
    .filter(([permission, isNeeded]) => isNeeded && !hasPermission(actor, permission, { project, environment }))
    .map(([permission]) => permission)
  // creating a segment for all projects requires the permission in all projects
  const { toCreate } = segments
  const mayCreate = toCreate.every((segment) =>
    hasPermission(actor, 'CREATE_SEGMENT', { project: getProject(segment) }),
  )
  return mayCreate ? lacking : [...lacking, 'CREATE_SEGMENT']
}

/** Returns true if the import adds strategies that the document does not contain. */
function opensFlags(input: FeatureImport, target: ImportTarget): boolean {
  return input.closeUnguarded !== true && listUnguardedFlags(input, target).length > 0
}

/** Returns the name of a permission as users see it. */
export function getDisplayName(permission: string): string {
  return PERMISSIONS.find(({ name }) => name === permission)?.displayName ?? permission
}
