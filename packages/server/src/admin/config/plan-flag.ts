import type { FlagFile } from '@burgee/protocol/administration/config-files'
import type { Tag } from '@burgee/protocol/event'
import { createFeature, updateFeature } from '../flags/features.ts'
import { addTag, removeTag } from '../flags/tags.ts'
import type { ConfigStep, Phase } from './config-steps.ts'
import type { ParsedFile } from './parse-config-file.ts'
import { planEnvironment } from './plan-environment.ts'
import type { Planning } from './plan-shared.ts'
import type { StoredFlag } from './project-config.ts'

/** Plans the steps for one flag: its creation or details, tags, parent, and environments. */
export function planFlag(planning: Planning, file: ParsedFile<FlagFile>): ConfigStep[] {
  const { config, mistakes } = planning
  const { name, environments = {} } = file.content
  const before = config.flags.get(name)
  const steps = [
    ...planDetails(planning, file.content, before),
    ...planTags(planning, file.content, before),
    ...planParent(planning, file.content, before),
  ]
  for (const [index, tag] of (file.content.tags ?? []).entries()) {
    const { type } = parseTag(tag)
    if (!config.tagTypes.has(type)) mistakes.add(file, ['tags', index], `There is no tag type "${type}".`)
  }
  for (const [environment, wanted] of Object.entries(environments)) {
    if (config.environments.includes(environment)) {
      const now = before?.environments.get(environment)
      steps.push(...planEnvironment(planning, { file, environment, wanted, now }))
    } else {
      mistakes.add(file, ['environments', environment], `The project has no environment "${environment}".`)
    }
  }
  return steps
}

/** Returns the properties that all steps for one flag have in common. */
function toFlagStep(name: string, phase: Phase) {
  return { kind: 'Flag', name, flag: name, phase, affects: 'none', changes: [] } as const
}

function planDetails({ config }: Planning, content: FlagFile, before: StoredFlag | undefined): ConfigStep[] {
  const { project } = config
  const { name, type = 'release', description = null, stale = false, impressionData = false } = content
  const ref = { project, feature: name }
  if (before === undefined) {
    return [
      {
        ...toFlagStep(name, 'create'),
        isCreation: true,
        content: [type, description, stale, impressionData],
        sentence: 'Creates the flag, off in all environments.',
        permissions: [{ name: 'CREATE_FEATURE', project }],
        run: async (tx, context) => [
          ...(await createFeature(tx, { project, body: { name, type, description, impressionData } }, context)).events,
          ...(stale ? (await updateFeature(tx, { ...ref, body: { stale } }, context)).events : []),
        ],
      },
    ]
  }
  const { row } = before
  const changed = [
    ...(row.type === type ? [] : ['type']),
    ...((row.description || null) === (description || null) ? [] : ['description']),
    ...((row.stale === 1) === stale ? [] : ['stale']),
    ...((row.impression_data === 1) === impressionData ? [] : ['impressionData']),
  ]
  if (changed.length === 0) return []
  const body = { type, description, stale, impressionData }
  return [
    {
      ...toFlagStep(name, 'details'),
      content: body,
      sentence: `Changes ${changed.join(', ')}.`,
      permissions: [{ name: 'UPDATE_FEATURE', project }],
      run: async (tx, context) => (await updateFeature(tx, { ...ref, body }, context)).events,
    },
  ]
}

/** Splits a tag from a file: the type has no colon, but the value can contain colons. */
export function parseTag(text: string): Tag {
  const at = text.indexOf(':')
  return { type: text.slice(0, at), value: text.slice(at + 1) }
}

const nameTags = (tags: readonly string[]): string => `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`

function planTags({ config }: Planning, { name, tags = [] }: FlagFile, before: StoredFlag | undefined): ConfigStep[] {
  const stored = (before?.tags ?? []).map(({ type, value }) => `${type}:${value}`)
  const added = [...new Set(tags)].filter((tag) => !stored.includes(tag))
  const removed = stored.filter((tag) => !tags.includes(tag))
  const step = { ...toFlagStep(name, 'details'), permissions: [{ name: 'UPDATE_FEATURE', project: config.project }] }
  const steps: ConfigStep[] = []
  if (added.length > 0) {
    steps.push({
      ...step,
      content: ['add', added],
      sentence: `Adds the ${nameTags(added)}.`,
      run: async (tx, context) => {
        const events = []
        for (const tag of added)
          events.push(...(await addTag(tx, { feature: name, tag: parseTag(tag) }, context)).events)
        return events
      },
    })
  }
  if (removed.length > 0) {
    steps.push({
      ...step,
      content: ['remove', removed],
      sentence: `Removes the ${nameTags(removed)}.`,
      run: async (tx, context) => {
        const events = []
        for (const tag of removed)
          events.push(...(await removeTag(tx, { feature: name, tag: parseTag(tag) }, context)).events)
        return events
      },
    })
  }
  return steps
}

function planParent(
  { config }: Planning,
  { name, dependencies = [] }: FlagFile,
  before: StoredFlag | undefined,
): ConfigStep[] {
  const stored = (before?.parents ?? []).map(({ parent, enabled, variants }) => ({
    feature: parent,
    enabled: enabled === 1,
    variants: [...variants],
  }))
  const wanted = dependencies.map(({ feature, enabled = true, variants = [] }) => ({
    feature,
    enabled,
    variants: enabled ? variants : [],
  }))
  if (JSON.stringify(stored) === JSON.stringify(wanted)) return []
  const permissions = [{ name: 'UPDATE_FEATURE_DEPENDENCY', project: config.project }]
  const [parent] = wanted
  const gone = stored.filter(({ feature }) => feature !== parent?.feature)
  const steps: ConfigStep[] = []
  // detaching is a separate step, so that the previous parent can be archived or get its own parent before the flag
  // gets its new parent
  if (gone.length > 0) {
    steps.push({
      ...toFlagStep(name, 'detach'),
      affects: 'project',
      permissions,
      sentence: `No longer depends on ${gone.map(({ feature }) => `"${feature}"`).join(', ')}.`,
      changes: [{ action: 'deleteDependency', payload: null }],
    })
  }
  if (parent !== undefined) {
    steps.push({
      ...toFlagStep(name, 'attach'),
      affects: 'project',
      permissions,
      sentence: `Depends on "${parent.feature}" being ${parent.enabled ? 'on' : 'off'}.`,
      changes: [{ action: 'addDependency', payload: parent }],
    })
  }
  return steps
}
