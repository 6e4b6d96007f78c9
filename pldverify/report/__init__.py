"""Reports on findings, from their JSON form alone: a page, and what spreadsheets and CI systems read."""

from pldverify.report.csv_table import csv
from pldverify.report.html_page import html
from pldverify.report.junit_xml import junit
from pldverify.report.markdown_summary import markdown
from pldverify.report.record import Record, records
from pldverify.report.sarif_log import sarif

__all__ = ["Record", "csv", "html", "junit", "markdown", "records", "sarif"]
