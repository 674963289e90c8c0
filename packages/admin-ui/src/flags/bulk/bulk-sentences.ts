import type { Texts } from '../../text/en.ts'
import type { BulkAction } from './bulk-action.ts'

/** Returns the title of an action, which is also the text of its button. */
export function getBulkTitle({ bulk }: Texts, action: BulkAction): string {
  switch (action.kind) {
    case 'tag':
      return action.add ? bulk.addTag : bulk.removeTag
    case 'switch':
      return action.on ? bulk.turnOn(action.environment) : bulk.turnOff(action.environment)
    case 'stale':
      return action.stale ? bulk.markStale : bulk.markActive
    case 'archive':
      return action.archived ? bulk.archive : bulk.revive
  }
}

/** Returns the success message of an action. */
export function getBulkSuccess({ bulk }: Texts, action: BulkAction, count: number): string {
  switch (action.kind) {
    case 'tag': {
      const tag = `${action.tag.type}:${action.tag.value}`
      return action.add ? bulk.tagged(count, tag) : bulk.untagged(count, tag)
    }
    case 'switch':
      return action.on ? bulk.isOn(count, action.environment) : bulk.isOff(count, action.environment)
    case 'stale':
      return action.stale ? bulk.isStale(count) : bulk.isActive(count)
    case 'archive':
      return action.archived ? bulk.isArchived(count) : bulk.isRevived(count)
  }
}
