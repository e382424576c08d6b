import { patch } from '../data/http.ts'
import type { Row } from '../data/resource-views.ts'
import { t } from '../text/texts.ts'
import { notifyChange } from '../undo/undo.ts'

/** Lets everybody see a held message who may. */
export async function release({ id }: Pick<Row, 'id'>): Promise<void> {
  notifyChange(t('Message released.'), await patch<Row>(`/api-v1-messages/${id}`, { status: 'matched' }))
}
