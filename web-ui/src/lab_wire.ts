/** Types of the laboratory that the generated ones have no names for. */

import type { CurveInfo, ExperimentSummary, Json, ExperimentInfo } from "./wire_types";

export type * from "./wire_types";
export type State = ExperimentSummary["state"];
export type Report = NonNullable<ExperimentInfo["result"]>;
/** Step, value, and the ends of its interval. */
export type CurvePoint = CurveInfo["points"][number];
export type Interval = [number | null, number | null];
/** An order as it is sent, and as it comes back with the experiment; which fields it has depends on the kind. */
export type LabOrder = { game: string; options: { [name: string]: Json } } & { [name: string]: Json };
export type Experiment = Omit<ExperimentInfo, "order"> & { order: LabOrder };
