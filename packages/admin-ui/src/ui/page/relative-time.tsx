import { useFormat } from '../../text/texts.tsx'

/** Time since a point in time, such as "2 hours ago", with the exact time as a tooltip. */
export function RelativeTime({ at, className }: { at: string; className?: string | undefined }) {
  const { ago, time } = useFormat()
  return (
    <time dateTime={at} title={time(at)} className={className}>
      {ago(at)}
    </time>
  )
}
