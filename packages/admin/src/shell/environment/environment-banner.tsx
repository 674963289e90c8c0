import { useCatalogue } from '../../text/texts.tsx'
import styles from './environment.module.css'
import { useEnvironmentType } from './environment-chip.tsx'
import { BANNER_TEXTS } from './texts.ts'

/** Where a change will take effect, in the colour of the environment's type: production cannot be mistaken. */
export function EnvironmentBanner({ name }: { name: string }) {
  const t = useCatalogue(BANNER_TEXTS)
  const type = useEnvironmentType()(name)
  return (
    <p className={styles.banner} data-environment-type={type}>
      {type === 'production' ? t.production(name) : t.banner(name, type)}
    </p>
  )
}
