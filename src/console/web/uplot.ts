import UPlot from 'uplot'

/** Loaded only where a chart is shown. */
export { UPlot }
