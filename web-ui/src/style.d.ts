/** Style sheets are built into app.css. */
declare module "*.css";
