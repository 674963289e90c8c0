import { findNextDueAt, listDueRequests } from '@burgee/storage/queries/change-requests/requests'
import { createDueSchedule, type DueSchedule } from '../../core/due-schedule.ts'
import type { World } from '../../core/world.ts'
import { applyScheduled } from './apply-scheduled.ts'

/** Creates the schedule that applies change requests at their scheduled time. */
export function createChangeSchedule(world: World): DueSchedule {
  return createDueSchedule(world, {
    name: 'Scheduled change requests',
    listDue: listDueRequests,
    findNextDueAt,
    handle: (request) => applyScheduled(world, request),
    isAffectedBy: ({ type }) => type === 'change-request-scheduled',
  })
}
