import type { InstanceStatistics } from '@burgee/protocol/statistics'
import { Text } from '@mantine/core'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { RETENTION_TEXTS } from './retention-texts.ts'

const BYTES_PER_MEGABYTE = 1_000_000

/** Data with a retention period, the server option that sets the period, and the tables that store the data. */
const RETAINED_DATA = [
  ['events', 'EVENT_RETENTION_DAYS', ['events']],
  ['hourlyUsage', 'HOURLY_USAGE_RETENTION_DAYS', []],
  ['usage', 'USAGE_RETENTION_DAYS', ['client_metrics', 'client_metrics_variants']],
  ['unseen', 'UNSEEN_RETENTION_DAYS', ['client_applications', 'client_instances', 'unknown_flags']],
  ['expiredTokens', 'EXPIRED_TOKEN_RETENTION_DAYS', []],
  ['changeRequests', 'CHANGE_REQUEST_RETENTION_DAYS', []],
  ['logins', 'LOGIN_RETENTION_DAYS', []],
] as const

/** Retention periods, with the amounts of stored data and the options with which operators set the periods. */
export function RetentionSection({ now: { retentionDays, stored } }: { now: InstanceStatistics }) {
  const t = useCatalogue(RETENTION_TEXTS)
  const { number } = useFormat()
  return (
    <Section title={t.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.text} {stored === null ? t.notCounted : t.size(number(toMegabytes(stored.bytes)))}
      </Text>
      <Table label={t.title} isDense columns={[t.what, t.kept, { number: t.rows }, t.option]}>
        {RETAINED_DATA.map(([what, option, tables]) => (
          <tr key={what}>
            <th scope="row">{t.kinds[what]}</th>
            <td>{t.days(retentionDays[what], number(retentionDays[what]))}</td>
            <td className={ui.number}>
              {tables.length === 0 || stored === null ? '–' : number(countRows(stored, tables))}
            </td>
            <td>
              <code>{option}</code>
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}

const toMegabytes = (bytes: number): number => Math.round((bytes / BYTES_PER_MEGABYTE) * 10) / 10

const countRows = ({ rows }: NonNullable<InstanceStatistics['stored']>, tables: readonly string[]): number =>
  tables.reduce((sum, table) => sum + (rows[table] ?? 0), 0)
