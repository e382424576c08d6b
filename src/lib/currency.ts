/** The code of a currency: three letters, in any case. */
export const currencyForm = /^[A-Za-z]{3}$/

/** The currencies of ISO 4217 whose smallest unit is not a hundredth, by its number of decimal places. ICU has others for some. */
const places: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

const byCode = new Map(
  Object.entries(places).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)] as const)),
)

/** The number of decimal places of a currency's smallest unit; 2 if the code is unknown. */
export function minorPlaces(code: string): number {
  return byCode.get(code) ?? 2
}
