import type { Database } from '@burgee/storage/database'
import { featureName } from './seed.ts'

const ROWS_AT_ONCE = 2000
const ROWS_OF_A_TRANSACTION = 20_000
const START = Date.UTC(2026, 0, 1)
const EVERY_MS = 20_000
const PEOPLE = ['ada', 'grace', 'edsger', 'barbara', 'donald']

/** Author of one in 100,000 events, for searches with few results. */
export const RARE_AUTHOR = 'katherine'

/** Adds a long history: updates of flag descriptions, which SDKs do not receive. */
export async function seedEvents(db: Database, count: number, features: number): Promise<void> {
  for (let from = 0; from < count; from += ROWS_OF_A_TRANSACTION) {
    const until = Math.min(from + ROWS_OF_A_TRANSACTION, count)
    await db.write(async (tx) => {
      for (let first = from; first < until; first += ROWS_AT_ONCE) {
        const length = Math.min(ROWS_AT_ONCE, until - first)
        const rows = Array.from({ length }, (_, offset) => createEvent(first + offset, features))
        await tx.insertInto('events').values(rows).execute()
      }
    })
  }
}

function createEvent(index: number, features: number) {
  const name = featureName(index % features)
  const isRare = index % 100_000 === 50_000
  return {
    type: 'feature-metadata-updated',
    created_by: isRare ? RARE_AUTHOR : (PEOPLE[index % PEOPLE.length] ?? ''),
    created_by_user_id: 1 + (index % PEOPLE.length),
    created_at: START + index * EVERY_MS,
    project: 'default',
    environment: null,
    feature_name: name,
    reach: null,
    address: null,
    data: JSON.stringify({ name, description: `What it is for, told for the time ${index}` }),
    pre_data: JSON.stringify({ name, description: `What it is for, told for the time ${index - features}` }),
    tags: '[]',
  }
}
