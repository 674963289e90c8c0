import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import type { ConfigChange } from '@burgee/protocol/administration/config-plan'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../core/execute.ts'
import type { CheckedChange } from '../change-requests/change-actions.ts'

/** Permission that a step needs if it is made without a change request. */
export interface NeededPermission {
  readonly name: string
  readonly project?: string | null
  readonly environment?: string
}

/**
 * Ids of objects that an apply has created, by the placeholder that stands for them in a plan: a negative number for a
 * segment, a text for a release template.
 */
export interface CreatedIds {
  readonly segments: Map<number, number>
  readonly templates: Map<string, string>
}

/** Order of steps: each phase can rely on the objects of earlier phases. */
export const PHASES = ['shared', 'create', 'details', 'detach', 'archive', 'attach', 'environment', 'delete'] as const
export type Phase = (typeof PHASES)[number]

interface StepParts extends ConfigChange {
  readonly phase: Phase
  /** True if the step creates an object. */
  readonly isCreation?: true
  readonly isDestructive?: true
  readonly permissions: readonly NeededPermission[]
  /** Environments that the step affects: its own, all of the project, or the users of a segment. */
  readonly affects: 'none' | 'environment' | 'project' | { readonly segment: number }
  /** Changes in the form of a change request. */
  readonly changes: readonly CheckedChange<ChangeAction>[]
}

/** Function that makes a step directly. If a step has none, its `changes` are made. */
export type RunStep = (tx: Tx, context: ChangeContext, ids: CreatedIds) => Promise<readonly NewEvent[]>

/**
 * Step of a plan. `content` is everything that `run` makes, for the hash of the plan: nothing may be made that the plan
 * does not stand for.
 */
export type ConfigStep = StepParts &
  ({ readonly run: RunStep; readonly content: unknown } | { readonly run?: never; readonly content?: never })

/** Replaces placeholders in a change by the ids of created objects. */
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
