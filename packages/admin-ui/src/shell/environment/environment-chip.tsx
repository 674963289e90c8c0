import './environment.css'
import { useQuery } from '@tanstack/react-query'
import { ENVIRONMENTS } from '../../api/queries.ts'
import styles from './environment.module.css'

/**
 * Returns a function that looks up the type of an environment; the function returns an empty string if the type is
 * unknown.
 */
export function useEnvironmentType(): (name: string) => string {
  const { data = [] } = useQuery(ENVIRONMENTS)
  return (name) => data.find((one) => one.name === name)?.type ?? ''
}

/** Name of an environment in the color of its type. */
export function EnvironmentChip({ name }: { name: string }) {
  const typeOf = useEnvironmentType()
  return (
    <span className={styles.chip} data-environment-type={typeOf(name)}>
      {name}
    </span>
  )
}
