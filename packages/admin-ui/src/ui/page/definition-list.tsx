import type { ReactNode } from 'react'
import ui from '../ui.module.css'

/** Definition list: terms with their values. */
export function DefinitionList({ facts }: { facts: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <dl className={ui.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
