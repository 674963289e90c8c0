import './environment.css'
import { useQuery } from '@tanstack/react-query'
import { ENVIRONMENTS } from '../../api/queries.ts'
import styles from './environment.module.css'

/** Types of environments by their names; what is not known has none. */
export function useEnvironmentType(): (name: string) => string {
  const { data = [] } = useQuery(ENVIRONMENTS)
  return (name) => data.find((one) => one.name === name)?.type ?? ''
}

/** The name of an environment in the colour of its type. */
export function EnvironmentChip({ name }: { name: string }) {
  const typeOf = useEnvironmentType()
  return (
    <span className={styles.chip} data-environment-type={typeOf(name)}>
      {name}
    </span>
  )
}
