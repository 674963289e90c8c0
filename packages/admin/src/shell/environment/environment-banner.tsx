import { useCatalogue } from '../../text/texts.tsx'
import styles from './environment.module.css'
import { useEnvironmentType } from './environment-chip.tsx'
import { BANNER_TEXTS } from './texts.ts'

/**
 * Where a change will take effect, in the colour of the environment's type: production cannot be mistaken. `guarded` is
 * said in place of that, where nothing takes effect yet.
 */
export function EnvironmentBanner({ name, guarded }: { name: string; guarded?: string | undefined }) {
  const t = useCatalogue(BANNER_TEXTS)
  const type = useEnvironmentType()(name)
  const text = guarded ?? (type === 'production' ? t.production(name) : undefined)
  // elsewhere the title says where one is, and nobody gets hurt
  if (text === undefined) return null
  return (
    <p className={styles.banner} data-environment-type={type}>
      {text}
    </p>
  )
}
