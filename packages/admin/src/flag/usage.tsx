import type { FeatureUsageRow } from '@burgee/protocol/usage'
import { Select, Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usage } from '../api/flags.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { Notice, ProblemNotice } from '../ui/problem.tsx'
import ui from '../ui/ui.module.css'
import styles from './flag.module.css'

const SPANS = [24, 48, 168, 720]
const HOUR_MS = 3_600_000

/** What SDKs reported about a flag, by environment, hour and application. */
export function Usage({ feature }: { feature: string }) {
  const t = useTexts()
  const [hours, setHours] = useState(48)
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', feature, hours],
    queryFn: () => usage(feature, hours),
    refetchInterval: 15_000,
  })
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={240} role="status" aria-label={t.common.loading} />
  if (data.data.length === 0) return <Notice title={t.flag.noUsage}>{t.flag.noUsageText}</Notice>
  const byEnvironment = Map.groupBy(data.data, (row) => row.environment)
  return (
    <>
      <Select
        label={t.flag.usageHours}
        data={SPANS.map((span) => ({ value: String(span), label: t.flag.hours(span) }))}
        value={String(hours)}
        w={180}
        mb="md"
        onChange={(value) => setHours(Number(value))}
      />
      {[...byEnvironment].map(([environment, rows]) => (
        <section key={environment} className={`${ui.card} ${ui.padded}`} aria-label={environment}>
          <Title order={2} size="h5">
            {environment}
          </Title>
          <Chart rows={rows} hours={hours} label={t.flag.usageChart(environment)} />
          <Applications rows={rows} />
        </section>
      ))}
    </>
  )
}

/** A bar per hour: answers "on" below, "off" above. */
function Chart({ rows, hours, label }: { rows: readonly FeatureUsageRow[]; hours: number; label: string }) {
  const t = useTexts()
  const end = Math.floor(Date.now() / HOUR_MS)
  const bars = Array.from({ length: hours + 1 }, () => ({ yes: 0, no: 0 }))
  for (const { timestamp, yes, no } of rows) {
    const bar = bars[hours - (end - Math.floor(Date.parse(timestamp) / HOUR_MS))]
    if (bar !== undefined) {
      bar.yes += yes
      bar.no += no
    }
  }
  const most = Math.max(1, ...bars.map(({ yes, no }) => yes + no))
  return (
    <>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map(({ yes, no }, index) => {
          const on = (yes / most) * 96
          const off = (no / most) * 96
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            <g key={index}>
              <rect className={styles.yes} x={index + 0.1} width={0.8} y={100 - on} height={on} />
              <rect className={styles.no} x={index + 0.1} width={0.8} y={100 - on - off} height={off} />
            </g>
          )
        })}
      </svg>
      <p className={styles.legend}>
        <span className={styles.yesKey}>{t.flag.usageYes}</span>
        <span>{t.flag.usageNo}</span>
      </p>
    </>
  )
}

function Applications({ rows }: { rows: readonly FeatureUsageRow[] }) {
  const t = useTexts()
  const { number } = useFormat()
  const byApplication = Map.groupBy(rows, (row) => row.appName)
  const sum = (list: readonly FeatureUsageRow[], pick: 'yes' | 'no'): number =>
    list.reduce((total, row) => total + row[pick], 0)
  return (
    <div className={ui.scroller}>
      <table className={ui.table}>
        <thead>
          <tr>
            <th scope="col">{t.flag.application}</th>
            <th scope="col">{t.flag.usageYes}</th>
            <th scope="col">{t.flag.usageNo}</th>
            <th scope="col">{t.flag.variants}</th>
          </tr>
        </thead>
        <tbody>
          {[...byApplication].map(([name, list]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{number(sum(list, 'yes'))}</td>
              <td>{number(sum(list, 'no'))}</td>
              <td>{variantsText(list, number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function variantsText(rows: readonly FeatureUsageRow[], number: (value: number) => string): string {
  const counts = new Map<string, number>()
  for (const { variants } of rows) {
    for (const [name, count] of Object.entries(variants)) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return [...counts].map(([name, count]) => `${name} ${number(count)}`).join(', ')
}
