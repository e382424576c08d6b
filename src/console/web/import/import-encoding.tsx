import { offered } from '../../../files/encoding-probe.ts'
import { t } from '../text/texts.ts'
import type { FileRead } from './sheet.ts'

/** The encoding of a file that is not in Unicode, with samples of what each makes of it. */
export function ImportEncoding({ read, onEncoding }: { read: FileRead; onEncoding: (name: string) => void }) {
  const { candidates, isCertain } = read.detected
  if (candidates.length === 0) return null
  const others = offered.filter((name) => !candidates.some(({ encoding }) => encoding === name))
  return (
    <div class="body stack tight">
      <p class={isCertain ? 'muted' : 'notice warn'}>
        {isCertain
          ? t('The file is not in Unicode. Check that these letters are right.')
          : t(
              'It is not certain how the letters of the file are encoded. Choose the encoding whose letters are right.',
            )}
      </p>
      <label class="field">
        <span>{t('Encoding')}</span>
        <select class="input" value={read.encoding} onChange={({ currentTarget: { value } }) => onEncoding(value)}>
          {candidates.map(({ encoding, samples }) => (
            <option key={encoding} value={encoding}>
              {`${encoding}: ${samples.join(', ')}`}
            </option>
          ))}
          {others.map((encoding) => (
            <option key={encoding} value={encoding}>
              {encoding}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
