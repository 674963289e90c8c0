import { useCatalogue } from '../../text/texts.tsx'
import styles from './environment.module.css'
import { useEnvironmentType } from './environment-chip.tsx'
import { BANNER_TEXTS } from './texts.ts'

/**
 * Banner that names the environment that a change affects, in the color of its type, so that production is
 * unmistakable. `guarded` replaces the text if the change does not take effect immediately.
 */
export function EnvironmentBanner({ name, guarded }: { name: string; guarded?: string | undefined }) {
  const t = useCatalogue(BANNER_TEXTS)
  const type = useEnvironmentType()(name)
  const text = guarded ?? (type === 'production' ? t.production(name) : undefined)
  // For environments other than production, the title is enough.
  if (text === undefined) return null
  return (
    <p className={styles.banner} data-environment-type={type}>
      {text}
    </p>
  )
}
