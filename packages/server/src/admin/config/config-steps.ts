import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { ConfigChange } from '@burgee/protocol/administration/config-plan'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../core/execute.ts'
import type { CheckedChange } from '../change-requests/change-actions.ts'

/** Permission that a step requires if it is applied without a change request. */
export interface NeededPermission {
  readonly name: string
  readonly project?: string | null
  readonly environment?: string
}

/**
 * Ids of the objects that applying a plan has created, keyed by their placeholder in the plan: a negative number for a
 * segment, a string for a release template.
 */
export interface CreatedIds {
  readonly segments: Map<number, number>
  readonly templates: Map<string, string>
}

/** Phases in execution order; each phase can rely on objects that earlier phases create. */
export const PHASES = ['shared', 'create', 'details', 'detach', 'archive', 'attach', 'environment', 'delete'] as const
export type Phase = (typeof PHASES)[number]

interface StepParts extends ConfigChange {
  readonly phase: Phase
  /** True if the step creates an object. */
  readonly isCreation?: true
  readonly isDestructive?: true
  readonly permissions: readonly NeededPermission[]
  /**
   * Environments that the step affects: none, the step's environment, all environments of the project, or all
   * environments in which a segment is used.
   */
  readonly affects: 'none' | 'environment' | 'project' | { readonly segment: number }
  /** Changes of the step, in the form that a change request contains. */
  readonly changes: readonly CheckedChange<ChangeAction>[]
}

/** Function that applies a step directly. If a step has no such function, its `changes` are applied. */
export type RunStep = (tx: Tx, context: ChangeContext, ids: CreatedIds) => Promise<readonly NewEvent[]>

/**
 * One step of a plan. `content` describes everything that `run` does and is part of the plan's hash, so that applying
 * cannot do more than the reviewed plan shows.
 */
export type ConfigStep = StepParts &
  ({ readonly run: RunStep; readonly content: unknown } | { readonly run?: never; readonly content?: never })

/** Replaces placeholders in a change with the ids of the created objects. */
export function resolveIds(change: CheckedChange, { segments, templates }: CreatedIds): CheckedChange {
  const payload = change.payload as { readonly segments?: readonly number[]; readonly templateId?: string } | null
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return change
  const { segments: ids, templateId } = payload
  return {
    ...change,
    payload: {
      ...payload,
      ...(Array.isArray(ids) && { segments: ids.map((id: number) => segments.get(id) ?? id) }),
      ...(templateId !== undefined && { templateId: templates.get(templateId) ?? templateId }),
    } as CheckedChange['payload'],
  }
}

/** Returns the change of a step, as a plan shows it. */
export function toConfigChange({ kind, name, flag, environment, sentence, enables }: ConfigStep): ConfigChange {
  return {
    kind,
    name,
    ...(flag === undefined ? {} : { flag }),
    ...(environment === undefined ? {} : { environment }),
    sentence,
    ...(enables === true && { enables }),
  }
}
