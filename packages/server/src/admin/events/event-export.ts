import { formatCsvHeader, formatCsvRows } from '@burgee/kit/csv'
import { replyInParts } from '@burgee/kit/streams/text-in-parts'
import type { Event } from '@burgee/protocol/event'
import type { EventExportFormat } from '@burgee/protocol/search'
import { readEpoch } from '@burgee/storage/epochs'
import type { EventConditions } from '@burgee/storage/queries/events/event-conditions'
import { readExportPage } from '@burgee/storage/queries/events/event-export'
import { readNewestEventId } from '@burgee/storage/queries/events/events'
import type { HttpWorld } from '../../core/http/route.ts'

/** Columns of the CSV form, in order. An event property without a column here would be missing from the export. */
export const EXPORT_COLUMNS = [
  ...(['id', 'createdAt', 'type', 'createdBy', 'createdByUserId', 'agent', 'ip', 'project', 'environment'] as const),
  ...(['featureName', 'tags', 'data', 'preData'] as const),
] satisfies readonly (keyof Event)[]

interface ExportForm {
  readonly contentType: string
  readonly header: string
  readonly format: (events: readonly Event[]) => string
}

const FORMS: Readonly<Record<EventExportFormat, ExportForm>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    header: formatCsvHeader(EXPORT_COLUMNS),
    format: (events) => formatCsvRows(EXPORT_COLUMNS, events),
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    header: '',
    format: (events) => events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  },
}

/**
 * Returns a reply that sends all matching events up to the newest one, oldest first. Reads one page at a time, and the
 * next one only after the client has received the previous one. Closes the connection abruptly if the database fails or
 * is restored during the export.
 */
export async function exportEvents(
  { db, logger }: Pick<HttpWorld, 'db' | 'logger'>,
  format: EventExportFormat,
  conditions: EventConditions,
) {
  const { contentType, header, format: toText } = FORMS[format]
  const { epoch, newest } = await db.scan(async (reader) => ({
    epoch: (await readEpoch(reader)).epoch,
    newest: await readNewestEventId(reader),
  }))
  let { afterId = 0 } = conditions
  const readPage = async (): Promise<readonly Event[]> => {
    const range = { ...conditions, afterId, beforeId: newest + 1 }
    const page = await db.scan(async (reader) => ({
      events: await readExportPage(reader, range),
      now: (await readEpoch(reader)).epoch,
    }))
    if (page.now !== epoch) throw new Error('The database was restored during an export')
    afterId = page.events.at(-1)?.id ?? newest
    return page.events
  }
  const text = {
    first: header + toText(await readPage()),
    next: async () => {
      if (afterId >= newest) return undefined
      const events = await readPage()
      return events.length === 0 ? undefined : toText(events)
    },
    onError: (error: unknown) => logger.error('Exporting events failed', error),
  }
  return replyInParts(text, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="events.${format}"`,
    'cache-control': 'no-store',
  })
}
