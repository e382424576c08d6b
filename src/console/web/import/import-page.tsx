import { FileUp } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useUnsaved } from '../forms/use-unsaved.ts'
import { isConfirmed } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { useTitle } from '../parts/use-title.ts'
import { description, resourceOf } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { ColumnMapping } from './import-columns.tsx'
import { type Mapping, type Plan, planImport } from './import-plan.ts'
import { ImportRun } from './import-run.tsx'
import { Imports } from './import-undo.tsx'
import { type FileRead, fileBytesMax, readAs, readFile, rowsMax } from './sheet.ts'

const steps = [t('File'), t('Columns'), t('Check'), t('Done')]

/** Imports a CSV or vCard file in four steps: file, columns, check, import. */
export function Import() {
  useTitle(t('Import'))
  const { query } = useLocation()
  const importable = description.value!.resources.filter((each) => each.importable).map(({ name }) => name)
  const [of, setOf] = useState(importable.find((each) => each === query.into) ?? importable[0]!)
  const [plan, setPlan] = useState<Plan>()
  const [mapping, setMapping] = useState<Mapping>()
  const [step, setStep] = useState(0)
  const [read, setRead] = useState<FileRead>()
  const begin = (file: FileRead) => {
    const made = planImport(of, file)
    setRead(file)
    setPlan(made)
    setMapping([...made.match.paths])
    setStep(1)
  }
  useUnsaved(step === 1 || step === 2, () => isConfirmed(leaving))
  return (
    <div class="page narrow">
      <h1>{t('Import')}</h1>
      <ol class="steps">
        {steps.map((name, at) => (
          <li key={name} aria-current={at === step ? 'step' : undefined}>
            {name}
          </li>
        ))}
      </ol>
      {step === 0 && (
        <>
          <ChooseFile importable={importable} of={of} onOf={setOf} onRead={begin} />
          <Imports importable={importable} />
        </>
      )}
      {step === 1 && read && plan && mapping && (
        <ColumnMapping
          {...{ read, plan, mapping }}
          onEncoding={(name) => begin(readAs(read, name))}
          onNotation={(notation) => setPlan({ ...plan, notation })}
          onMapping={setMapping}
          onBack={() => setStep(0)}
          onNext={() => setStep(2)}
        />
      )}
      {step >= 2 && plan && mapping && (
        <ImportRun
          {...{ of, plan, mapping }}
          onBack={() => setStep(1)}
          onDone={() => setStep(3)}
          onAgain={() => {
            setPlan(undefined)
            setStep(0)
          }}
        />
      )}
    </div>
  )
}

const leaving = {
  title: t('Leave the import?'),
  body: t(
    'The file and the fields of its columns have to be chosen again. Rows that have not been sent yet are not imported.',
  ),
  verb: t('Leave'),
  back: t('Stay'),
}

interface ChooseFileProps {
  importable: string[]
  of: string
  onOf: (of: string) => void
  /** Throws Error. */
  onRead: (read: FileRead) => void
}

function ChooseFile({ importable, of, onOf, onRead }: ChooseFileProps) {
  const [error, setError] = useState<Error>()
  const take = (file: File | undefined) => {
    setError(undefined)
    if (!file) return
    readFile(file).then(onRead).catch(setError)
  }
  return (
    <div class="card padded stack">
      <fieldset class="stack tight">
        <legend>{t('What is in the file?')}</legend>
        <div class="row">
          {importable.map((each) => (
            <label class="check" key={each}>
              <input type="radio" name="of" checked={each === of} onChange={() => onOf(each)} />
              {resourceOf(each).plural}
            </label>
          ))}
        </div>
      </fieldset>
      <DropZone onFile={take} />
      <ErrorNotice error={error} />
    </div>
  )
}

function DropZone({ onFile }: { onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer?.files[0])
  }
  return (
    <section
      class={over ? 'drop over' : 'drop'}
      aria-label={t('File')}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon of={FileUp} />
      <p>{t('Drop a CSV or vCard file here, or')}</p>
      <button type="button" class="button primary" onClick={() => input.current!.click()}>
        {t('Choose a file')}
      </button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.vcf,text/csv,text/vcard"
        aria-label={t('CSV or vCard file')}
        hidden
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0])
          event.currentTarget.value = '' // so that the same file can be chosen again after a correction
        }}
      />
      <p class="muted small">
        {t(
          'Files of Google Contacts, Outlook, HubSpot, Pipedrive and Salesforce are recognized. The first line names the columns. Up to {rowsMax} rows and {value} MB.',
          { rowsMax: rowsMax.toLocaleString(), value: fileBytesMax / 2 ** 20 },
        )}
      </p>
    </section>
  )
}
